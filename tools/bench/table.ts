// `node tools/bench/table.ts FILE...`: figures of `npm run bench -- --out FILE` as the table of docs/performance.md.
import { readFileSync } from 'node:fs';
import { judge } from './bars.ts';
import type { Figure } from './figures.ts';
import { toMarkdownTable } from './render.ts';

const files = process.argv.slice(2);
if (files.length === 0) throw new Error('No file given: expected those of "npm run bench -- --out FILE".');
const figures = files.flatMap(
  (file) => (JSON.parse(readFileSync(file, 'utf8')) as { figures: Figure[] }).figures,
);
// by the bars of today
console.log(toMarkdownTable(figures.map(judge)));
