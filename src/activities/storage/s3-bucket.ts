// A bucket of Amazon S3 or of a server with its protocol: the few operations of an artifact store. Runs in Node. The SDK
// is loaded only here, because only users of S3 install it. It finds the credentials itself (environment, profile, role
// of the host); they never pass through here.
import { eachAtOnce } from '@holdfast/base/at-once';
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import type { Infer } from '@holdfast/base/schema-output';
import type * as Sdk from '@aws-sdk/client-s3';
import { z } from 'zod';
import { loadPeer } from '../base/load-peer.ts';

export const s3SettingsSchema = z.strictObject({
  /** Name of the bucket. */
  bucket: z.string().trim().min(1),
  /** Begins the key of every object, as a folder. Stores of different prefixes are different stores. */
  prefix: z.string().exactOptional(),
  /** Default: that of AWS_REGION or of the profile. */
  region: z.string().trim().min(1).exactOptional(),
  /** Address of a server other than Amazon's. */
  endpoint: z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }).exactOptional(),
  /** Puts the bucket into the path and not into the host name. Default: true with an endpoint. */
  forcePathStyle: z.boolean().exactOptional(),
});
export type S3Settings = Infer<typeof s3SettingsSchema>;

/** For people: bucket and prefix, and any server other than Amazon's. */
export function describeS3({ bucket, prefix, endpoint }: S3Settings): string {
  return `s3://${bucket}/${toFolder(prefix)}${endpoint === undefined ? '' : ` at ${endpoint}`}`;
}

export function toFolder(prefix = ''): string {
  const inner = prefix.replaceAll(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `${inner}/`;
}

export type Bucket = Awaited<ReturnType<typeof openBucket>>;

/** The SDK's own retries are few, because Temporal repeats the activity. */
const maxAttempts = 2;
const connectionTimeoutMs = 3_000;
/** Limit until an answer begins, and for any silence. */
const requestTimeoutMs = 15_000;
/** Limit of one operation with its retries and bytes; below the 60 s of the activities that use it. */
const operationTimeoutMs = 40_000;
const removalsAtOnce = 8;

/**
 * The few operations of S3 that a store needs: each rejects with an S3Error if no answer comes in time. Rejects if the SDK is
 * not installed. Sends no request.
 */
export async function openBucket(settings: S3Settings) {
  const { bucket: Bucket, endpoint } = settings;
  const sdk = await loadPeer(
    '@aws-sdk/client-s3',
    'An artifact store in S3',
    () => import('@aws-sdk/client-s3'),
  );
  const client = new sdk.S3Client(clientOptions(settings));
  const send = <T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    withinTime(work).catch((error: unknown) => {
      throw toS3Error(what, error, describeS3(settings));
    });
  const put = (Key: string, bytes: Uint8Array | string, condition: { IfNoneMatch?: string } = {}) => {
    const Body = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes;
    const command = new sdk.PutObjectCommand({ Bucket, Key, Body, ...condition });
    return send('put', async (abortSignal) => void (await client.send(command, { abortSignal })));
  };
  return {
    put,
    /** Keeps an existing object. */
    putNew: (key: string, text: string) =>
      put(key, text, { IfNoneMatch: '*' }).catch((error: unknown) => {
        if (hasCode(error, 'PreconditionFailed', 'ConditionalRequestConflict')) return;
        // a server without conditional writes: the last of several writers wins, and all read it
        if (endpoint !== undefined && hasCode(error, 'NotImplemented')) return put(key, text);
        throw error;
      }),
    get: (Key: string) =>
      send('get', async (abortSignal) => {
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key }), { abortSignal });
        return Body?.transformToByteArray();
      }).catch((error: unknown) => {
        if (!hasCode(error, 'NoSuchKey')) throw error;
        return undefined;
      }),
    async *list(Prefix: string) {
      for (let ContinuationToken: string | undefined; ;) {
        const command = new sdk.ListObjectsV2Command({
          Bucket,
          Prefix,
          ...defined({ ContinuationToken: ContinuationToken || undefined }),
        });
        const page = await send('list', (abortSignal) => client.send(command, { abortSignal }));
        for (const { Key: key, Size: sizeBytes = 0, LastModified: storedAt } of page.Contents ?? [])
          if (key !== undefined && storedAt) yield { key, sizeBytes, storedAt };
        if (!page.IsTruncated || !page.NextContinuationToken) return;
        ContinuationToken = page.NextContinuationToken;
      }
    },
    async remove(keys: readonly string[]) {
      await eachAtOnce(keys, removalsAtOnce, async (Key) => {
        // one by one: some servers lack the bulk removal
        const command = new sdk.DeleteObjectCommand({ Bucket, Key });
        await send('remove', (abortSignal) => client.send(command, { abortSignal }));
      });
    },
  };
}

function clientOptions({ region, endpoint, forcePathStyle }: S3Settings): Sdk.S3ClientConfig {
  const own = endpoint === undefined ? {} : { endpoint, forcePathStyle: true };
  return {
    ...own,
    ...defined({ region, forcePathStyle }),
    maxAttempts,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: requestTimeoutMs,
    },
  };
}

/** Bounds the time that the SDK's own limits do not: slow bytes, and retries one after the other. */
async function withinTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new Error(`no answer within ${operationTimeoutMs / 1_000} s`);
    controller.abort(error);
    reject(error);
  }, operationTimeoutMs);
  try {
    return await Promise.race([work(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The operation failed. `code` is that of the server or of the connection, e.g. `AccessDenied` or `ECONNREFUSED`. */
class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly code: string;

  constructor(message: string, code: string, options: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

function toS3Error(what: string, error: unknown, place: string): S3Error {
  const code = codesOf(error)[0] ?? 'Error';
  const words = [...new Set([code, messageOf(error)].filter(Boolean))];
  return new S3Error(`${place} refused or did not answer (${what}): ${words.join(': ')}.`, code, {
    cause: error,
  });
}

/** A failed connection has a code of its own; the name of an SDK error is the code of the server's answer. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return 'code' in error && typeof error.code === 'string' ? [error.code, error.name] : [error.name];
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return codesOf(error).some((code) => codes.includes(code));
}
