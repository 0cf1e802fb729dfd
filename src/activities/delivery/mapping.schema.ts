// The schema of a mapping: a message for another product as one HTTP request. Runs in Node.
import { z } from 'zod';
import { httpSchema, settingSchema } from '../toolsets/toolset.schema.ts';

export const mappingSchema = z.strictObject({
  description: z.string().min(1),
  settings: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), settingSchema).exactOptional(),
  http: httpSchema.extend({ method: z.enum(['POST', 'PUT', 'PATCH']) }),
  /** HTTP status codes of a message that was taken. Default: 200 to 299. */
  success: z.array(z.int()).min(1).exactOptional(),
});
export type Mapping = z.infer<typeof mappingSchema>;
