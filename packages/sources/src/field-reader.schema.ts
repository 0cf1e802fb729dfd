// The schema of a reader that a toolset's file describes by fields (field-reader.ts). Pure.
import { z } from 'zod';

const template = z.string().min(1);

export const fieldReaderSchema = z.strictObject({
  /** Path of the list, such as `data.result`; a list on the way is gone through. With `?` at its end it may be absent, which is nothing. Default: the answer itself. */
  items: z.string().min(1).exactOptional(),
  /** A line of each item; as a list of parts, a part without a value is left out. The first part is in every line. */
  line: z.union([template, z.array(template).min(1)]).exactOptional(),
  /** In place of `line`: an object of each item, for `rowsAre` and `show: series`. A field without a value is left out. */
  row: z.record(z.string(), z.union([template, z.array(template).min(1)])).exactOptional(),
  /** Paths of the fields to sort by; the greatest first with `-` before it. An item without it comes first. */
  sort: z.union([z.string().min(1), z.array(z.string().min(1))]).exactOptional(),
  /** Path of the number of all that match. */
  total: z.string().min(1).exactOptional(),
  /** Path of what is there, and not false, where there are more; with `!` before it, of what is false then. */
  more: z.string().min(1).exactOptional(),
});
export type FieldReader = z.infer<typeof fieldReaderSchema>;
