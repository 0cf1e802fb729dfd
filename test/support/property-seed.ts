// Properties are tried with the same values on every run, so that a red run is red for a change and not by chance.
// HOLDFAST_SEED=random tries others; the seed of a failure is in its message, to be set here or kept as a named test.
import fc from 'fast-check';

const chosen = process.env['HOLDFAST_SEED'] ?? '20261121';
if (chosen !== 'random') fc.configureGlobal({ seed: Number(chosen) });
