// docker-compose.yml and deploy/Dockerfile agree with the project. No container engine is needed: only the files are read.
import { projectRoot } from '../support/project-root.ts';
import { vendors } from '@holdfast/providers/vendors';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readStarterSet } from '../../src/worker/tool-sources/starter-toolsets.ts';
import { readCompose } from '../support/compose.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const compose = readCompose({ HOLDFAST_GATEWAY_TOKEN: 'a token' });
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);

test('every image is pinned, and none is musl', () => {
  const images = services.flatMap(([, service]) => service.image ?? []);
  const bases = [...read('deploy/Dockerfile').matchAll(/^FROM (\S+)/gm)].map((match) => match[1] ?? '');
  expect(bases).not.toEqual([]);
  for (const image of [...images, ...bases]) expect(image).toMatch(/^[\w/-]+:(\d|local$)/);
  for (const base of bases) expect(base).not.toContain('alpine');
});

test('the server and the tools that make its databases have one version', () => {
  const versions = services.flatMap(([, { image = '' }]) =>
    [...image.matchAll(/^temporalio\/(?:server|admin-tools):(.+)$/g)].map(([, version]) => version),
  );
  expect(versions.length).toBeGreaterThan(2);
  expect(new Set(versions).size).toBe(1);
});

test('a gateway without a token is refused before anything starts, with the way to one', () => {
  expect(() => readCompose({})).toThrow(/HOLDFAST_GATEWAY_TOKEN.*first lines of docker-compose\.yml/);
  expect(read('docker-compose.yml').split('services:')[0]).toContain('HOLDFAST_GATEWAY_TOKEN=');
});

test('who waits for health waits for a service that has a health check', () => {
  for (const [, { depends_on: waits = {} }] of services) {
    for (const [name, { condition }] of Object.entries(waits)) {
      expect(compose.services[name]).toBeDefined();
      if (condition === 'service_healthy') expect(compose.services[name]?.healthcheck).toBeDefined();
      // one that ends, and is not started again for it
      else expect(compose.services[name]).toMatchObject({ restart: expect.stringMatching(/^on-failure/) });
    }
  }
});

test('ports are published on loopback only, and volumes are declared', () => {
  for (const port of services.flatMap(([, service]) => service.ports ?? [])) {
    expect(port).toMatch(/^127\.0\.0\.1:/);
  }
  const volumes = services.flatMap(([, service]) => service.volumes ?? []);
  const folders = volumes.filter((volume) => volume.startsWith('./'));
  for (const folder of folders) {
    expect(folder, 'of the host').toMatch(/:ro$/);
    expect(existsSync(join(projectRoot, folder.split(':')[0] ?? '')), folder).toBe(true);
  }
  for (const volume of volumes.filter((other) => !folders.includes(other))) {
    expect(compose.volumes).toHaveProperty(volume.split(':')[0] ?? '');
  }
});

test.each(ours)(
  '%s looks for the config where it is mounted, inside the package that it imports',
  (_, service) => {
    const { working_dir: folder, volumes = [] } = service;
    expect(volumes).toContain(`./deploy/compose:${folder}:ro`);
    expect(folder).toMatch(/^\/app\//);
  },
);

test('the words of health checks and commands are texts', () => {
  const words = services.flatMap(([, { healthcheck, command = [] }]) => [
    ...(healthcheck?.test ?? []),
    ...command,
  ]);
  expect(words.length).toBeGreaterThan(20);
  for (const word of words) expect(word).toBeTypeOf('string');
});

test.each([
  ['SERVING', 0],
  ['NOT_SERVING', 1],
])('the namespace waits for a server that serves: %s', (said, code) => {
  const [, , command = ''] = compose.services['temporal-namespace']?.command ?? [];
  const [, filter = ''] = /\| (grep [^;]+);/.exec(command) ?? [];
  const { status } = spawnSync('sh', ['-c', filter], { input: `temporal.api.WorkflowService: ${said}\n` });
  expect(status).toBe(code);
});

test.each(ours)('%s is told only what the configuration reads', (_, { environment = {} }) => {
  const ofVendors = vendors
    .map(({ prefix }) => `${prefix}_API_KEY: ${prefix}_API_KEY_FILE: ${prefix}_BASE_URL: `)
    .join(' ');
  const known = ['variables', 'telemetry', 'temporal-settings']
    .map((file) => read(`src/config/${file}.ts`))
    .join('');
  for (const name of Object.keys(environment)) {
    expect(known + ofVendors).toContain(`${name}: `);
  }
});

test('the image copies what exists', () => {
  const sources = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) =>
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
  expect(folders).toContain('catalog');
  const image =
    read('deploy/Dockerfile')
      .split(/^FROM /m)
      .at(-1) ?? '';
  for (const folder of folders) expect(image).toMatch(new RegExp(`^COPY .*\\b${folder}$`, 'm'));
});

test('the folder of every workspace is there before dependencies are installed', () => {
  const { workspaces }: { workspaces: string[] } = JSON.parse(read('package.json'));
  const [before = ''] = read('deploy/Dockerfile').split('RUN npm ci');
  for (const pattern of workspaces) {
    const folder = pattern.replace('/*', '');
    expect(before).toMatch(new RegExp(`^COPY ${folder}(?:/package.json)? ${folder}/?$`, 'm'));
  }
});

/** What Debian's packages of the image bring, as far as toolsets need it. */
const programsOf: Record<string, string[]> = {
  bubblewrap: [],
  'ca-certificates': [],
  curl: ['curl'],
  dnsutils: ['dig'],
  git: ['git'],
  iproute2: ['ss'],
  'mariadb-client': ['mysql'],
  openssl: ['openssl'],
  'postgresql-client': ['psql'],
  procps: ['ps', 'vmstat'],
  'redis-tools': ['redis-cli'],
};
/** Of every Debian. */
const always = ['cat', 'df', 'du', 'sh'];

test('docs/containers.md says of every toolset that needs programs whether it works in the image', async () => {
  const image =
    read('deploy/Dockerfile')
      .split(/^FROM /m)
      .at(-1) ?? '';
  const [, words = ''] = /--no-install-recommends ([^&]+)&&/.exec(image) ?? [];
  const packages = words.split(/[\s\\]+/).filter((word) => word !== '');
  expect(packages.toSorted()).toEqual(Object.keys(programsOf));
  const programs = new Set([...always, ...Object.values(programsOf).flat()]);
  const page = read('docs/containers.md');
  const listed = (title: string): string[] => {
    const [, row = ''] = new RegExp(`^\\| ${title} \\| (.+) \\|`, 'm').exec(page) ?? [];
    return [...row.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);
  };
  const needing = (await readStarterSet()).flatMap(({ name, tools, prerequisites = [] }) => {
    const commands = tools.flatMap(({ command: [first] = [] }) => (typeof first === 'string' ? first : []));
    const declared = prerequisites.flatMap((each) => {
      if ('program' in each) return each.program;
      if ('package' in each) return each.package;
      return 'file' in each ? each.file : [];
    });
    const needs = [...declared, ...commands.filter((word) => !word.includes('{{'))];
    return needs.length === 0 ? [] : [{ name, isThere: needs.every((program) => programs.has(program)) }];
  });
  const namesOf = (isThere: boolean): string[] =>
    needing
      .filter((each) => each.isThere === isThere)
      .map(({ name }) => name)
      .toSorted();
  expect(listed('in the image').toSorted()).toEqual(namesOf(true));
  expect(listed('not in the image').toSorted()).toEqual(namesOf(false));
});
