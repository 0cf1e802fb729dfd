// The artifact store of a config file: a bucket, or one of its own. Runs where a process starts.
import { z } from 'zod';
import type { ArtifactStore } from '../../activities/storage/artifact-store.ts';
import type { HoldfastConfig } from '../define-config.ts';
import { objectWith } from './own-code.schema.ts';

const ownStoreSchema = objectWith<ArtifactStore>(
  { id: 'string', put: 'function', get: 'function' },
  'expected a store: an id that is not empty, and the functions put and get; or { s3: { bucket, ... } }',
);
const s3Schema = z.strictObject({
  s3: z.strictObject({
    bucket: z.string().trim().min(1),
    prefix: z.string().exactOptional(),
    region: z.string().trim().min(1).exactOptional(),
    endpoint: z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }).exactOptional(),
    forcePathStyle: z.boolean().exactOptional(),
  }),
});
/** By its key and not as a union, so that a mistake is that of the form that was meant. */
export const artifactsSchema = z
  .custom<NonNullable<HoldfastConfig['artifacts']>>()
  .superRefine((value, context) => {
    const isS3 = typeof value === 'object' && value !== null && 's3' in value;
    const { error } = (isS3 ? s3Schema : ownStoreSchema).safeParse(value);
    error?.issues.forEach((issue) => context.addIssue({ ...issue }));
  });
