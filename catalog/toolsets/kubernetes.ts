// Readers of what kubectl prints. Pure.
import { answer, type Reader, words } from '@holdfast/sources/source-answer';
import { readTable } from '@holdfast/sources/table-reader';

/** YAML and JSON keep their blanks. */
export const resources: Reader = (said, { output }) =>
  output === 'wide' ? readTable(said) : answer([said.trim() === '' ? '' : said]);

const seconds: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, y: 31_536_000 };

/** An age such as `5s`, `3m4s`, `5s (x12 over 3h)`; `<unknown>` and `<invalid>` have no time yet, and are the newest. */
function ageOf(cell: string): number | undefined {
  if (/^<\w+>$/.test(cell)) return -1;
  const age = /^(?:\d+[smhdy])+(?= |$)/.exec(cell)?.[0];
  return age
    ?.match(/\d+[smhdy]/g)
    ?.reduce((sum, part) => sum + Number.parseInt(part) * (seconds[part.slice(-1)] ?? 0), 0);
}

/** By the column LAST SEEN, which has a time also where `lastTimestamp` is null; the newest first. */
export const events: Reader = (said, { limit }) => {
  if (said.trim() === '') return { is: 'none' };
  const [head = '', ...lines] = said.split('\n').filter((line) => line.trim() !== '');
  const from = head.indexOf('LAST SEEN');
  if (from < 0) return { is: 'unknown', why: 'no column LAST SEEN' };
  const rows: { age: number; lines: string[] }[] = [];
  for (const line of lines) {
    const age = ageOf(line.slice(from).split(/ {2,}/, 1)[0] ?? '');
    // a message may have more lines
    if (age === undefined && rows.length > 0) rows.at(-1)?.lines.push(line);
    else rows.push({ age: age ?? -1, lines: [line] });
  }
  const newest = rows.toSorted((one, other) => one.age - other.age).slice(0, Number(limit));
  const read = readTable([head, ...newest.flatMap((row) => row.lines)].join('\n'));
  return { ...read, came: newest.length, total: rows.length };
};

/** Time, manager, operation, subresource; a manager may have blanks. */
const write = /^(\S*) (.*) (\S+) (\S*)$/;

/** A line for each object: its name, then its writes. Controllers write what follows from a change, but for the number of pods. */
export const writes: Reader = (said) => {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  const all = lines.flatMap((line) => {
    const [where = '', ...each] = line.split('\t');
    return each.map((entry) => ({ where, entry, part: write.exec(entry) }));
  });
  const rows = all.flatMap(({ where, part }) => {
    const [, at = '', who = '', operation = '', sub = ''] = part ?? [];
    const follows = who === 'kube-controller-manager' && sub !== 'scale';
    if (at === '' || sub === 'status' || follows) return [];
    return [{ at, who, where, what: words(operation.toLowerCase(), sub !== '' && `of its ${sub}`) }];
  });
  const odd = all.find(({ part }) => part === null);
  return answer(rows, { gaps: [odd && `a write in another form: ${odd.entry}`] });
};
