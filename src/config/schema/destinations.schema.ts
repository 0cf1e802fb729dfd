// The destinations of deliveries in a config file. Runs where a process starts.
import { z } from 'zod';
import type { Output } from '../../core/base/schema-output.ts';

const destinationSchema = z.union([
  z.strictObject({
    /** A folder; each message is a file in it. The path starts at the config file. */
    file: z.strictObject({
      /** The folder. */
      folder: z.string().min(1),
    }),
  }),
]);

export const destinationsSchema = z.record(z.string().min(1), destinationSchema);
/** A place that gets messages. */
export type DestinationConfig = Output<typeof destinationSchema>;
export type DestinationsConfig = Output<typeof destinationsSchema>;
