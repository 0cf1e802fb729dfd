// A small specification and a small test project with every kind of result; its ids are made up.

export const specification = `| id | behaviour | source |
|---|---|---|
| ALPHA-01 | proved by two tests | F1 |
| ALPHA-02 | one of its tests fails | F1 |
| ALPHA-03 | skipped | F1 |
| BETA-01 | todo | F1 |
| BETA-02 | no test | F1 |
| BETA-03 | a clause is open | F1 |
| BETA-04 | proved | F1 |
| BETA-05 | Withdrawn (it was an alias). | F1 |
`;
export const faults = `| # | level: fault | expected |
|---|---|---|
| 57 | A: cut | retry |
| 58 | A: event | retry |
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
`;

export const unknownTest = `test('[ALPHA-99] never specified', () => {});
`;
