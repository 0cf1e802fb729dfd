// The artifact store of a config file: a bucket, or one of its own. Runs where a process starts.
import { z } from 'zod';
import type { ArtifactStore } from '../../activities/storage/artifact-store.ts';
import { s3SettingsSchema } from '../../activities/storage/s3-bucket.ts';
import type { Output } from '../../core/base/schema-output.ts';
import { objectWith } from './own-code.schema.ts';

const ownStoreSchema = objectWith<ArtifactStore>(
  { id: 'string', put: 'function', get: 'function' },
  'expected a store: an id that is not empty, and the functions put and get; or { s3: { bucket, ... } }',
);
const s3Schema = z.strictObject({
  /** A bucket of S3, or of a server with its protocol. */
  s3: s3SettingsSchema,
});
/** Chosen by its key, so that an error names the form the user meant. */
export const artifactsSchema = z
  .custom<ArtifactStore | Output<typeof s3Schema>>()
  .superRefine((value, context) => {
    const isS3 = typeof value === 'object' && value !== null && 's3' in value;
    const { error } = (isS3 ? s3Schema : ownStoreSchema).safeParse(value);
    error?.issues.forEach((issue) => context.addIssue({ ...issue }));
  });
