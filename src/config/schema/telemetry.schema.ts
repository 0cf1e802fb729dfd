// What a worker shows of itself, in a config file. Runs where a process starts.
import { z } from 'zod';
import { expectedAddress, isAddress, logFormats, logLevels } from '../telemetry.ts';

const addressSchema = z
  .union([z.int(), z.string()], `expected ${expectedAddress}`)
  .refine((address) => isAddress(String(address)), `expected ${expectedAddress}`);

const otlpSchema = z.strictObject({
  otlp: z.url({ protocol: /^https?$/, error: 'expected an http(s) address, with its path' }),
  headers: z
    .record(z.string().regex(/^[\w-]+$/, 'expected the name of a header'), z.string())
    .exactOptional(),
});

export const telemetrySchema = z.strictObject({
  logFormat: z.enum(logFormats).exactOptional(),
  logLevel: z.enum(logLevels).exactOptional(),
  health: addressSchema.exactOptional(),
  traces: otlpSchema.exactOptional(),
  metrics: z.union([z.strictObject({ prometheus: addressSchema }), otlpSchema]).exactOptional(),
});
