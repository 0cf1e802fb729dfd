// docker-compose.yml as data: its services, and the values that Compose puts in for variables.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

export type ComposeService = {
  image?: string;
  build?: string;
  command?: string[];
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  ports?: string[];
  volumes?: string[];
  working_dir?: string;
};
type Compose = { services: Record<string, ComposeService>; volumes: Record<string, unknown> };

const file = join(resolve(import.meta.dirname, '../..'), 'docker-compose.yml');

/** Throws for a variable that the file wants and `variables` lacks, as Compose does. */
export function readCompose(variables: Readonly<Record<string, string>>): Compose {
  const fill = (text: string): string =>
    text.replaceAll(
      /\$(?:\$|\{(\w+)(?::([-?])([^}]*))?\})/g,
      (_, name: string | undefined, sign: string | undefined, words = '') => {
        if (name === undefined) return '$';
        const value = variables[name];
        if (value) return value;
        if (sign === '?') throw new Error(`${name}: ${words}`);
        return words;
      },
    );
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') return fill(value);
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part)]));
  };
  return filled(parse(readFileSync(file, 'utf8'), { merge: true })) as Compose;
}
