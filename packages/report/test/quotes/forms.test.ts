// Quotes of recorded outputs, drawn in every form by a seed: true ones, inventions of the same forms, and cuts that change
// the meaning.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nearFinder } from '../../src/quotes/near-quote.ts';
import { quoteFinder } from '../../src/quotes/quote-finder.ts';
import { type Drawn, drawQuotes } from '../../../../test/support/quote-forms.ts';
import { sharedMissing, sharedPath } from '../../../../test/support/shared.ts';

const folder = sharedPath('data/investigations');
const seed = Number(process.env['HOLDFAST_SEED'] ?? 20261130);

function outputsIn(root: string): string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.txt'),
  );
  return files.map((name) => readFileSync(join(root, name), 'utf8'));
}

function verdictOf({ output, quote }: Drawn): 'strong' | 'weak' | 'lost' {
  const exact = quoteFinder(output)(quote);
  const found = typeof exact === 'object' ? exact : nearFinder(output)(quote);
  if (found === undefined) return 'lost';
  return found.cut === undefined ? 'strong' : 'weak';
}

test.skipIf(folder === undefined)(
  `[REPORT-17d] 10,000 drawn quotes: true ones are found, inventions are not, cuts are weak${folder === undefined ? `, ${sharedMissing('data/investigations')}` : ''}`,
  () => {
    const wrong: Drawn[] = [];
    const counts = { true: 0, invented: 0, cut: 0, lost: 0, weak: 0 };
    for (const drawn of drawQuotes(outputsIn(folder ?? ''), seed, 10_000)) {
      const verdict = verdictOf(drawn);
      counts[drawn.kind] += 1;
      if (drawn.kind === 'true' && verdict !== 'strong') counts[verdict] += 1;
      if (drawn.kind === 'invented' && verdict !== 'lost') wrong.push(drawn);
      if (drawn.kind === 'cut' && verdict === 'strong') wrong.push(drawn);
    }
    expect(counts.lost / counts.true).toBeLessThan(0.05);
    expect(counts.weak / counts.true).toBeLessThan(0.05);
    expect(wrong).toEqual([]);
  },
  120_000,
);
