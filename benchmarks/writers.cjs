// npm's sitemap, run as writers.py runs the others: node writers.cjs sitemap.js ENTRIES KIND FOLDER

const fs = require("node:fs");
const path = require("node:path");
const { once } = require("node:events");
const { SitemapStream } = require("sitemap");

const [, , , entries, kind, folder] = process.argv;
const BASE = "https://www.example.org/";
const LANGUAGES = ["de", "en", "es", "fr", "it"];
const count = Number(entries);
const days = Array.from({ length: 700 }, (_, number) =>
  new Date(Date.UTC(2020, 0, 1 + number)).toISOString().slice(0, 10),
);
const pad = (number, width) => String(number).padStart(width, "0");

function* items() {
  const rest = (number) => ({ lastmod: days[number % 700], changefreq: "weekly", priority: 0.5 });
  if (kind === "plain") {
    for (let number = 0; number < count; number++) {
      const section = pad(Math.floor(number / 1000), 4);
      yield { url: `${BASE}section-${section}/page-${pad(number, 7)}/`, ...rest(number) };
    }
    return;
  }
  const sets = Array.from({ length: count / LANGUAGES.length }, (_, number) =>
    LANGUAGES.map((lang) => ({ lang, url: `${BASE}${lang}/page-${pad(number, 7)}/` })),
  );
  for (const lang of LANGUAGES) {
    for (let number = 0; number < sets.length; number++) {
      const url = `${BASE}${lang}/page-${pad(number, 7)}/`;
      yield { url, ...rest(number), links: sets[number] };
    }
  }
}

async function write() {
  const source = items();
  for (let start = 0; start < count; start += 50_000) {
    const stream = new SitemapStream({ lastmodDateOnly: true });
    const file = stream.pipe(fs.createWriteStream(path.join(folder, `${start}.xml`)));
    for (let at = start; at < Math.min(start + 50_000, count); at++) {
      if (!stream.write(source.next().value)) await once(stream, "drain");
    }
    stream.end();
    await once(file, "finish");
  }
}

const before = process.cpuUsage();
write().then(() => {
  const { user, system } = process.cpuUsage(before);
  const size = fs.readdirSync(folder).reduce((n, f) => n + fs.statSync(path.join(folder, f)).size, 0);
  const memory = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ cpu: (user + system) / count, memory, size }));
});
