// An artifact store of your own: outputs, reports, logs and results go into one SQLite file.
import { resolve } from 'node:path';
import { defineConfig } from '../../src/config/define-config.ts';
import { createSqliteStore } from './sqlite-store.ts';

const folder = resolve(process.env['HOLDFAST_DIR'] ?? '.holdfast');

export default defineConfig({
  artifacts: createSqliteStore(`${folder}/artifacts.db`),
  files: { roots: ['.'] },
  script: 'script.yaml',
});
