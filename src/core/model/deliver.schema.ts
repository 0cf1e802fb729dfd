// Checks the destinations of a start input and of a configuration. Not for the workflow bundle.
import { z } from 'zod';
import { deliveryPoints } from './deliver.ts';
import type { Deliver } from './deliver.ts';

export const deliverSchema: z.ZodType<Deliver[]> = z
  .array(
    z.strictObject({ to: z.string().min(1), on: z.array(z.enum(deliveryPoints)).min(1).exactOptional() }),
  )
  .min(1);
