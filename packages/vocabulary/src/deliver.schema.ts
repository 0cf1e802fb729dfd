// Checks the destinations of a start input and of a configuration. Not for the workflow bundle.
import { z } from 'zod';
import { type Deliver, deliveryPoints, destinationName, expectedDestinationName } from './deliver.ts';

export const deliverSchema: z.ZodType<Deliver[]> = z
  .array(
    z.strictObject({
      to: z.string().regex(destinationName, `expected ${expectedDestinationName}`),
      on: z.array(z.enum(deliveryPoints)).min(1).exactOptional(),
    }),
  )
  .min(1);
