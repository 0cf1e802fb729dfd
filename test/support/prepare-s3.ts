// A process of its own that builds the S3 server of the tests where none is there, so that its minutes are not those of a test.
import { getS3Binary, s3Missing } from './s3-server.ts';

process.stdout.write(`${s3Missing ?? `using ${await getS3Binary()}`}\n`);
