// What a user installs: the package is built, packed, and installed into an empty folder, and works there.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oldNode, userPath } from '../support/old-node.ts';
import { projectRoot } from '../support/project-root.ts';

const { devDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
const projectBin = join(projectRoot, 'node_modules/.bin');
let folder = '';

function run(command: string, ...args: string[]) {
  const { TEMPORAL_ADDRESS: _, ...environment } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...environment, PATH: userPath, HOLDFAST_DIR: join(folder, '.holdfast') },
  });
  return { status, stdout, stderr };
}

type Check = { name: string; state: string; finding: string };

/** The Node that was installed. */
const node = (): string => join(folder, 'node_modules/.bin/node');
/** Without npx, which takes longer than most commands. */
const withoutNpx = (): [string, string] => [node(), join(folder, 'node_modules/holdfast/bin/holdfast.js')];

/** `holdfast doctor`; its checks by name. */
function doctor([program, ...args]: [string, string] = withoutNpx()): {
  status: number | null;
  checks: Record<string, Check>;
} {
  const { status, stdout, stderr } = run(program, ...args, 'doctor', '--json');
  expect(stderr).not.toContain('unexpected error');
  const lines = stdout
    .trim()
    .split('\n')
    .map((line): Check => JSON.parse(line));
  return { status, checks: Object.fromEntries(lines.map((check) => [check.name, check])) };
}

const config = `import { defineConfig } from 'holdfast';

export default defineConfig({ model: 'scripted:incident', http: { allow: ['127.0.0.1:9090'] } });
`;

describe('the package', () => {
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-package-')));
    const pack = ['pack', '--pack-destination', folder, '--silent'];
    execFileSync('npm', pack, { cwd: projectRoot, encoding: 'utf8' });
    const archive = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${archive}`];
    // without types of Node of its own a project gets the newest, which those of Temporal's worker do not fit (1.24 and 26)
    const own = [`node@${devDependencies.node}`, `@types/node@${devDependencies['@types/node']}`];
    const { status, stderr } = run('npm', ...install, ...own);
    expect({ status, stderr }).toMatchObject({ status: 0 });
  }, 900_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000);

  describe('installed', () => {
    test('holds JavaScript with types, the workflow bundle, and no sources', () => {
      const files = readdirSync(join(folder, 'node_modules/holdfast'), { recursive: true }).map(String);
      // what init writes is TypeScript
      const own = files.filter((file) => !/^(node_modules|catalog\/templates|examples)/.test(file));
      expect(own.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))).toEqual([]);
      expect(own).toContain('dist/src/workflow-bundle.js');
      expect(own).toContain('LICENSE');
      expect(own.filter((file) => /^(test|tools|src|\.ci)\b/.test(file))).toEqual([]);
      expect(own).toEqual(expect.arrayContaining(['catalog/schemas/input.json', 'docs/reference/config.md']));
    });

    test('its README leads to pages and pictures that are there', () => {
      const own = join(folder, 'node_modules/holdfast');
      const targets = readFileSync(join(own, 'README.md'), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g);
      const paths = [...targets].map(([, path = '']) => path);
      expect(paths.length).toBeGreaterThan(10);
      expect(paths.filter((path) => !existsSync(join(own, path)))).toEqual([]);
    });

    test("each entry is found, and a tool's input is made with the zod of the project, of which there is one", () => {
      expect(existsSync(join(folder, 'node_modules/holdfast/node_modules/zod'))).toBe(false);
      const script = `
          import { defineTool } from 'holdfast';
          import { z } from 'zod';
          const input = z.strictObject({ path: z.string() });
          const tool = defineTool({ name: 'own', description: 'd', input, run: () => ({ text: 'x' }) });
          const empty = [];
          for (const entry of ['', '/client', '/worker', '/testing', '/workflow', '/core'])
            if (Object.keys(await import('holdfast' + entry)).length === 0) empty.push(entry);
          console.log(JSON.stringify([tool.spec.parameters.required, empty]));`;
      expect(run(node(), '--input-type=module', '-e', script)).toMatchObject({ stdout: '[["path"],[]]\n' });
    });

    test('npx holdfast schema prints what the package has', () => {
      const { stdout } = run('npx', 'holdfast', 'schema', 'snapshot');
      expect(JSON.parse(stdout)).toMatchObject({ title: 'Snapshot' });
    });

    test('npx holdfast doctor says what is there', () => {
      const { status, checks } = doctor(['npx', 'holdfast']);
      // there is no key
      expect(status).toBe(2);
      expect(checks['run']).toMatchObject({
        state: 'bad',
        // the command as it can be pasted, with the folder that the environment names
        finding: expect.stringMatching(/npx holdfast run" would refuse: No model to run with/),
      });
      expect(checks['node']).toMatchObject({ state: 'good', finding: expect.stringContaining('24.') });
      expect(checks['folder']).toMatchObject({ state: 'good' });
    });

    test('starts a worker: the demo runs to its report', { timeout: 180_000 }, () => {
      const { status, stdout } = run(...withoutNpx(), 'demo', '--healthy', '--yes', '--no-wait');
      expect(status).toBe(0);
      expect(stdout).toContain('# No fault found');
    });

    test('brings no client of S3, and says what to install where a bucket is configured', () => {
      const file = join(folder, 'holdfast.config.json');
      writeFileSync(file, '{ "artifacts": { "s3": { "bucket": "b", "region": "eu-central-1" } } }');
      const { checks } = doctor();
      rmSync(file);
      expect(existsSync(join(folder, 'node_modules/@aws-sdk'))).toBe(false);
      expect(checks['results']).toMatchObject({
        state: 'bad',
        finding: expect.stringContaining('Run "npm install @aws-sdk/client-s3"'),
      });
    });

    test('brings no mailer, and says what to install where a destination sends mail', () => {
      const file = join(folder, 'holdfast.config.json');
      const email = { smtp: 'smtp://relay.example.com:25', from: 'a@example.com', to: ['b@example.com'] };
      writeFileSync(file, JSON.stringify({ destinations: { mail: { email } } }));
      const { checks } = doctor();
      const { stderr } = run(...withoutNpx(), 'tools');
      rmSync(file);
      expect(existsSync(join(folder, 'node_modules/nodemailer'))).toBe(false);
      expect(stderr).toMatch(/^holdfast: A destination for e-mail needs the package nodemailer/);
      expect(Object.values(checks)).toContainEqual(
        expect.objectContaining({
          state: 'bad',
          finding: expect.stringContaining('Run "npm install nodemailer"'),
        }),
      );
    });

    test.skipIf(oldNode === undefined)(
      'with too old a Node it says what to do (needs a Node below 24 on PATH)',
      () => {
        const shim = join(folder, 'node_modules/holdfast/bin/holdfast.js');
        const { status, stdout, stderr } = run(oldNode ?? '', shim, 'doctor');
        expect(status).not.toBe(0);
        expect(stdout).toBe('');
        expect(stderr).toMatch(/needs Node 24 or newer; this is Node \d+/);
        expect(stderr).toContain('npm install node@24');
        expect(stderr).not.toContain('at ');
      },
    );
  });

  test('[CORE-02] types of every entry compile strictly, libraries too, without the optional peers', () => {
    const { peerDependenciesMeta, exports } = JSON.parse(
      readFileSync(join(folder, 'node_modules/holdfast/package.json'), 'utf8'),
    ) as {
      peerDependenciesMeta: Record<string, object>;
      exports: Record<string, string | { types: string }>;
    };
    const optional = Object.keys(peerDependenciesMeta);
    // the SDK of Anthropic asks for it
    const there = optional.filter((peer) => existsSync(join(folder, 'node_modules', peer)));
    expect(there).toEqual(['@opentelemetry/api']);
    const entries = Object.entries(exports).flatMap(([path, to]) => (typeof to === 'string' ? [] : [path]));
    expect(entries.length).toBeGreaterThan(6);
    const imports = entries.map(
      (path, at) => `import * as entry${at} from '${path.replace('.', 'holdfast')}';`,
    );
    const used = `export const entries = [${entries.map((_, at) => `entry${at}`).join(', ')}];`;
    writeFileSync(join(folder, 'entries.ts'), [...imports, used].join('\n'));
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      'false',
      '--module',
      'nodenext',
      '--target',
      'es2024',
    ];
    const compiled = run(join(projectBin, 'node'), join(projectBin, 'tsc'), ...options, 'entries.ts');
    expect(compiled).toMatchObject({ status: 0, stdout: '' });
  });

  test('init writes a project whose types and test hold', { timeout: 120_000 }, () => {
    const init = run(...withoutNpx(), 'init', 'started');
    expect(init).toMatchObject({ status: 0, stdout: expect.stringContaining('Next:') });
    const started = join(folder, 'started');
    const tests = run('sh', '-c', 'cd started && npx node --test');
    expect(tests).toMatchObject({ status: 0, stdout: expect.stringContaining('pass 2') });
    const files = ['holdfast.config.ts', 'test/on-call.test.ts'].map((file) => join(started, file));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', 'node'];
    const compile = (...more: string[]) =>
      run(
        join(projectBin, 'node'),
        join(projectBin, 'tsc'),
        ...options,
        '--allowImportingTsExtensions',
        ...more,
      );
    // what the compiler takes, and one mistake in a config
    writeFileSync(join(started, 'wrong.ts'), config.replace("model: 'scripted:incident'", 'model: 7'));
    const { status, stdout } = compile(...files, join(started, 'wrong.ts'));
    expect(status).not.toBe(0);
    expect(stdout).toContain("Type 'number' is not assignable to type 'string'");
    expect(stdout.match(/error TS/g)).toHaveLength(1);
    rmSync(started, { recursive: true });
  });

  test("a test of one's own agent, as docs/models.md shows it, runs", { timeout: 120_000 }, () => {
    const [, example = ''] =
      /```ts\n(\/\/ shop\.test\.ts[^]*?)```/.exec(
        readFileSync(join(projectRoot, 'docs/models.md'), 'utf8'),
      ) ?? [];
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'logs/shop.log'), '14:04 pool timeout after 512 ms\n');
    const attempt = (source: string) => {
      writeFileSync(join(folder, 'shop.test.ts'), source);
      return run(node(), '--test', 'shop.test.ts');
    };
    expect(attempt(example)).toMatchObject({ status: 0, stdout: expect.stringContaining('pass 1') });
    const longer = attempt(example.replace("say('The pool", "say('Wait.'), say('The pool"));
    expect(longer.status).not.toBe(0);
    expect(longer.stdout).toContain('has steps left over: step-3');
  });

  test('a holdfast.config.ts beside it loads', () => {
    writeFileSync(join(folder, 'holdfast.config.ts'), config);
    const { status, checks } = doctor();
    // a scripted model without its script is none
    expect(status).toBe(2);
    expect(checks['config']).toMatchObject({ state: 'good', finding: join(folder, 'holdfast.config.ts') });
    expect(checks['tools']?.finding).toContain('1 host for');
  });
});
