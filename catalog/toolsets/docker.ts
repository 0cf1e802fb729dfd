// Readers of what docker prints. Pure.
import { answer, type Reader } from '@holdfast/sources/source-answer';

/** Lines that come oldest first. */
export const newestFirst: Reader = (said) => answer(said.split('\n').toReversed());
