"""Any folder of HTML, whatever made it: find the pages and read what they say of themselves."""
