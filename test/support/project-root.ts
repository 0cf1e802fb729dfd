// The folder of the checkout, where tests find the product's own files.
import { resolve } from 'node:path';

export const projectRoot = resolve(import.meta.dirname, '../..');
