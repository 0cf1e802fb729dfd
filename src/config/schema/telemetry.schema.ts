// What a worker shows of itself, in a config file. Runs where a process starts.
import { z } from 'zod';
import { expectedAddress, isAddress, logFormats, logLevels } from '../telemetry.ts';

const addressSchema = z
  .union([z.int(), z.string()], `expected ${expectedAddress}`)
  .refine((address) => isAddress(String(address)), `expected ${expectedAddress}`);

export const telemetrySchema = z.strictObject({
  logFormat: z.enum(logFormats).exactOptional(),
  logLevel: z.enum(logLevels).exactOptional(),
  health: addressSchema.exactOptional(),
});
