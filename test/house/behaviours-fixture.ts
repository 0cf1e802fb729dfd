// A small list of behaviours and a small test project with every kind of result; its ids are made up.

export const behaviours = `| id | behaviour |
|---|---|
| ALPHA-01 | proved by two tests |
| ALPHA-02 | one of its tests fails |
| ALPHA-03 | skipped |
| BETA-01 | todo |
| BETA-02 | no test |
| BETA-03 | a clause is open |
| BETA-04 | proved |
| BETA-06 | (a) proved; (b) proved with it; (c) proved alone. |
| BETA-07 | (a) proved; (b) only named with the row. |
| BETA-05 | Withdrawn (it was an alias). |

| id | level | fault | expected |
|---|---|---|---|
| FAULT-57 | A | cut | retry |
| FAULT-58 | A | event | retry |
`;
export const tests = `import { describe, expect, test } from 'vitest';
test('[ALPHA-01] first', () => {});
test('[ALPHA-01] [FAULT-57] second', () => {});
test('[ALPHA-02] passes', () => {});
test('[ALPHA-02] fails', () => expect(1).toBe(2));
test.skip('[ALPHA-03] skipped', () => {});
test('[ALPHA-03] passes', () => {});
test.todo('[BETA-01] to do');
describe('[BETA-04] in a group', () => test('passes', () => {}));
test('[BETA-03] passes', () => {});
test('[BETA-06ab] two clauses', () => {});
test('[BETA-06c] the third', () => {});
test('[BETA-07a] one clause', () => {});
test('[BETA-07] the row', () => {});
`;

export const unknownTest = `test('[ALPHA-99] never specified', () => {});
`;
