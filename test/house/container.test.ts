// docker-compose.yml and Dockerfile agree with the project. No container engine is needed: only the files are read.
import { vendors } from '../../src/activities/model/providers/vendors.ts';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

type Service = {
  image?: string;
  build?: string;
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  ports?: string[];
  volumes?: string[];
  working_dir?: string;
};

const projectRoot = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const compose: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(
  read('docker-compose.yml'),
);
const services = Object.entries(compose.services);

test('every image is pinned, and none is musl', () => {
  const images = services.flatMap(([, service]) => service.image ?? []);
  const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map((match) => match[1] ?? '');
  expect(bases).not.toEqual([]);
  for (const image of [...images, ...bases]) expect(image).toMatch(/^[\w/-]+:\d/);
  for (const base of bases) expect(base).not.toContain('alpine');
});

test('who waits for health waits for a service that has a health check', () => {
  for (const [, { depends_on: waits = {} }] of services) {
    for (const [name, { condition }] of Object.entries(waits)) {
      expect(compose.services[name]).toBeDefined();
      if (condition === 'service_healthy') expect(compose.services[name]?.healthcheck).toBeDefined();
    }
  }
});

test('ports are published on loopback only, and volumes are declared', () => {
  for (const port of services.flatMap(([, service]) => service.ports ?? [])) {
    expect(port).toMatch(/^127\.0\.0\.1:/);
  }
  const volumes = services.flatMap(([, service]) => service.volumes ?? []);
  const folders = volumes.filter((volume) => volume.startsWith('./'));
  for (const folder of folders) expect(folder, 'of the host').toMatch(/:ro$/);
  for (const volume of volumes.filter((other) => !folders.includes(other))) {
    expect(compose.volumes).toHaveProperty(volume.split(':')[0] ?? '');
  }
});

test('the worker looks for the config where it is mounted, inside the package that it imports', () => {
  const { working_dir: folder, volumes = [] } = compose.services['worker'] ?? {};
  expect(volumes).toContain(`./config:${folder}:ro`);
  expect(folder).toMatch(/^\/app\//);
});

test.each([
  ['SERVING', 0],
  ['NOT_SERVING', 1],
])('the health check takes a server that says %s for what it is', (said, code) => {
  const [, command = ''] = compose.services['temporal']?.healthcheck?.test ?? [];
  const filter = command.split(' | ').at(-1) ?? '';
  const { status } = spawnSync('sh', ['-c', filter], { input: `temporal.api.WorkflowService: ${said}\n` });
  expect(status).toBe(code);
});

test('the worker is told only what the configuration reads', () => {
  const ofVendors = vendors
    .map(({ prefix }) => `${prefix}_API_KEY: ${prefix}_API_KEY_FILE: ${prefix}_BASE_URL: `)
    .join(' ');
  const known = ['variables', 'telemetry', 'temporal-settings']
    .map((file) => read(`src/config/${file}.ts`))
    .join('');
  for (const name of Object.keys(compose.services['worker']?.environment ?? {})) {
    expect(known + ofVendors).toContain(`${name}: `);
  }
});

test('the image copies what exists', () => {
  const sources = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) =>
    (match[1] ?? '').split(' '),
  );
  expect(sources).toContain('src');
  for (const source of sources)
    expect([source, existsSync(join(projectRoot, source))]).toEqual([source, true]);
});

test('the image has every folder of the package that the code reads', () => {
  const { files }: { files: string[] } = JSON.parse(read('package.json'));
  const forPeople = ['deploy', 'docs', 'examples'];
  const folders = files.filter((file) => /^\w+$/.test(file) && !forPeople.includes(file));
  expect(folders).toContain('templates');
  const image =
    read('Dockerfile')
      .split(/^FROM /m)
      .at(-1) ?? '';
  for (const folder of folders) expect(image).toMatch(new RegExp(`^COPY .*\\b${folder}$`, 'm'));
});

test('the folder of every workspace is there before dependencies are installed', () => {
  const { workspaces }: { workspaces: string[] } = JSON.parse(read('package.json'));
  const [before = ''] = read('Dockerfile').split('RUN npm ci');
  for (const folder of workspaces) expect(before).toContain(`COPY ${folder}/package.json ${folder}/`);
});
