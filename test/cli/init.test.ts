// holdfast init: what it writes into an empty and into an existing folder, what it finds, and that its project works.
import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import { neededNode } from '../../src/cli/init/look-around.ts';
import { originOf, ownArchive } from '../../src/config/own-version.ts';
import type { TestedRun } from '../../src/testing.ts';
import { type CliSetting, callCli, hasTerminal, startOnTerminal } from '../support/cli.ts';
import { startHttpServer } from '../support/http-server.ts';
import { projectRoot } from '../support/project-root.ts';
import { oldNode } from '../support/old-node.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const starter = [
  '.gitignore',
  'agents/on-call.md',
  'holdfast.config.ts',
  'package.json',
  'script.yaml',
  'test/node.test.mjs',
  'test/on-call.test.ts',
  'tools/disk-usage.ts',
];

/** A machine with nothing to find: no Prometheus answers on port 1, and the PATH is empty. */
async function emptyMachine(): Promise<CliSetting & { environment: Record<string, string> }> {
  const cwd = await temporaryFolder();
  return { cwd, environment: { PATH: join(cwd, 'bin'), PROMETHEUS_URL: 'http://127.0.0.1:1' } };
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort();
}

/** The servers of these tests are those that init finds. */
const sought = { sought: true };

function read(setting: CliSetting, path: string): Promise<string> {
  return readFile(join(setting.cwd, path), 'utf8');
}

/** What a program of one expression answers, in a Node that loads TypeScript itself. */
async function evaluate<Answer>(module: string, expression: string): Promise<Answer> {
  const url = new URL(`../../src/${module}`, import.meta.url).href;
  const program = `import * as source from ${JSON.stringify(url)};
    process.stdout.write(JSON.stringify(await source.${expression}));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  return JSON.parse(stdout);
}

function configOf({ cwd }: CliSetting): Promise<{ config: HoldfastConfig }> {
  return evaluate('config/config-file.ts', `loadConfigFile(${JSON.stringify(cwd)})`);
}

describe('in an empty folder', () => {
  test('writes a project whose config, tool and agent work, and names the next three commands', async () => {
    const setting = await emptyMachine();
    const { code, stdout } = await callCli(['init'], setting);
    expect({ code, files: await filesOf(setting.cwd) }).toEqual({ code: 0, files: starter });
    expect(stdout).toMatch(
      /Next:\n {2}npm pack (\S+) --pack-destination \1\n {2}npm install\n {2}npm test\n {2}holdfast run --agent on-call "How full is the disk\?"\n/,
    );
    expect(stdout).toContain('No model key is set');
    // tool and agent are those of the files
    const steps = [{ calls: [{ tool: 'disk_usage', args: { path: '/' } }] }, { text: 'It has room.' }];
    const config = join(setting.cwd, 'holdfast.config.ts');
    const play = { config, input: { agent: 'on-call' }, prompt: 'Is the disk full?', script: steps };
    const tested = await evaluate<TestedRun>('testing.ts', `testAgent(${JSON.stringify(play)})`);
    expect(tested.result.status).toBe('completed');
    expect(JSON.stringify(tested.messages)).toMatch(/\d+ % of \d+ GB used/);
    expect(JSON.parse(await read(setting, 'package.json'))).toMatchObject({
      private: true,
      type: 'module',
      scripts: { test: 'node --test' },
      // no registry need have a clone
      dependencies: { holdfast: `file:${ownArchive()}`, zod: expect.stringMatching(/^\^4/) },
    });
  });

  test('names the folder that it made, and the model whose key is set, and writes no key', async () => {
    const setting = await emptyMachine();
    setting.environment['OPENAI_API_KEY'] = 'sk-a-secret-of-this-test';
    const { stdout } = await callCli(['init', 'night watch'], setting);
    expect(stdout).toMatch(/Next:\n {2}npm pack .*\n {2}cd 'night watch'\n/);
    expect(stdout).toMatch(/The model is openai:.*, because OPENAI_API_KEY is set\./);
    const folder = join(setting.cwd, 'night watch');
    expect(await filesOf(folder)).toEqual(starter);
    const texts = await Promise.all(starter.map((path) => readFile(join(folder, path), 'utf8')));
    expect(texts.join('')).not.toContain('sk-a-secret');
    expect(texts.join('')).toContain('"name": "night-watch"');
  });
});

test.skipIf(oldNode === undefined)(
  '[CLI-03] npm test of a new project fails on a Node that is too old, and says which one it needs (needs a Node below 24 on PATH)',
  async () => {
    const setting = await emptyMachine();
    await callCli(['init'], setting);
    const { scripts } = JSON.parse(await read(setting, 'package.json'));
    const [program, ...args] = String(scripts.test).split(' ');
    expect(program).toBe('node');
    const { status, stdout } = spawnSync(oldNode ?? '', args, { cwd: setting.cwd, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stdout).toMatch(/need Node 24 or newer; this is Node (?!24)\d+.*Run "npm install node@24" here/s);
  },
);

test.skipIf(oldNode === undefined)(
  '[CLI-03] the commands of a new project begin with a Node for it where that of the shell is too old (needs a Node below 24 on PATH)',
  async () => {
    const setting = await emptyMachine();
    setting.environment['npm_node_execpath'] = oldNode ?? '';
    const { stdout } = await callCli(['init'], setting);
    expect(stdout).toMatch(/Next:\n {2}npm pack .*\n {2}npm install node@24\n {2}npm test\n/);
    expect(stdout).toMatch(/The project needs Node 24 or newer; yours is \d+\.\d+\.\d+\./);
  },
);

test('[CLI-03] the Node that the test of a new project asks for is the one that the package needs', async () => {
  const { engines } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'));
  const text = await readFile(join(projectRoot, 'catalog/templates/starter/test/node.test.mjs'), 'utf8');
  expect(text).toContain(engines.node.replace('>=', '>= '));
  expect(engines.node).toBe(`>=${neededNode}`);
});

test('the tutorial shows the tool as it is written', async () => {
  const [tutorial, tool] = await Promise.all(
    ['docs/tutorial.md', 'catalog/templates/starter/tools/disk-usage.ts'].map((path) =>
      readFile(join(projectRoot, path), 'utf8'),
    ),
  );
  expect(tutorial).toContain(tool);
});

describe('what it finds', () => {
  test('[SRC-10a] folders of logs, a Prometheus and the context of kubectl are opened to the agent', async () => {
    const setting = await emptyMachine();
    const { url } = await startHttpServer(
      (_request, response) => void response.end('{"status":"success"}'),
      sought,
    );
    setting.environment['PROMETHEUS_URL'] = `${url}/`;
    await mkdir(join(setting.cwd, 'bin'));
    const kubectl = join(setting.cwd, 'bin', 'kubectl');
    await writeFile(kubectl, '#!/bin/sh\n[ "$*" = "config current-context" ] && echo "it\'s-staging"\n');
    await chmod(kubectl, 0o755);
    await mkdir(join(setting.cwd, 'logs'));
    await writeFile(join(setting.cwd, 'logs', 'shop.log'), 'ok\n');
    await callCli(['init'], setting);
    const { config } = await configOf(setting);
    expect(config).toMatchObject({
      files: { roots: ['logs'] },
      toolsets: { prometheus: { settings: { url } }, kubernetes: { settings: { context: "it's-staging" } } },
    });
    expect(config.http?.allow).toContain(url.slice('http://'.length));
  });

  test('a server that is no Prometheus, and an address with a password, are not', async () => {
    const setting = await emptyMachine();
    const { url } = await startHttpServer(
      (_request, response) => void response.end('{"status":"success"}'),
      sought,
    );
    setting.environment['PROMETHEUS_URL'] = url.replace('//', '//me:pass@');
    await callCli(['init', 'a'], setting);
    const other = await startHttpServer((_request, response) => void response.end('<html>'), sought);
    setting.environment['PROMETHEUS_URL'] = other.url;
    await callCli(['init', 'b'], setting);
    for (const folder of ['a', 'b'])
      expect(await read(setting, `${folder}/holdfast.config.ts`)).toContain('// prometheus:');
  });

  test('[SRC-10a] a server that wants a token is there as a comment, with the place of the token', async () => {
    const setting = await emptyMachine();
    const { url } = await startHttpServer((_request, response) => void response.writeHead(401).end(), sought);
    setting.environment['PROMETHEUS_URL'] = url;
    await callCli(['init'], setting);
    expect(await read(setting, 'holdfast.config.ts')).toContain(
      `// prometheus: { settings: { url: '${url}', authorization: 'Bearer secret://prometheus' } },`,
    );
    expect((await configOf(setting)).config.toolsets).not.toHaveProperty('prometheus');
  });
});

test('[CLI-25c] the package of the project is the one that runs: its archive, its folder, or the range of a registry', async () => {
  const cwd = await temporaryFolder();
  const own = join(cwd, 'own');
  await mkdir(own);
  await writeFile(join(own, 'package.json'), '{"name":"holdfast","version":"9.8.7"}');
  const npm = (...args: string[]) => promisify(execFile)('npm', args, { cwd });
  await npm('pack', './own');
  const install = ['install', '--offline', '--no-audit', '--no-save'];
  await npm(...install, '--prefix', 'from-archive', './holdfast-9.8.7.tgz');
  const archive = join(cwd, 'from-archive', 'node_modules', 'holdfast');
  expect(originOf(archive)).toBe(`file:${join(cwd, 'holdfast-9.8.7.tgz')}`);
  await rm(join(cwd, 'holdfast-9.8.7.tgz'));
  expect(originOf(archive)).toBe(`file:${archive}`);
  await npm(...install, '--prefix', 'from-folder', './own');
  expect(originOf(join(cwd, 'from-folder', 'node_modules', 'holdfast'))).toMatch(/^file:.*holdfast$/);
  // as a global package, of which npm notes no origin
  expect(originOf(own)).toBe(`file:${own}`);
  const lock = join(cwd, 'from-archive', 'node_modules', '.package-lock.json');
  const written = { version: '9.8.7', resolved: 'https://npm.example.com/holdfast/-/holdfast-9.8.7.tgz' };
  await writeFile(lock, JSON.stringify({ packages: { 'node_modules/holdfast': written } }));
  expect(originOf(archive)).toBe('^9.8.7');
  const git = { version: '9.8.7', resolved: 'git+ssh://git@example.com/ops/holdfast.git#1234' };
  await writeFile(lock, JSON.stringify({ packages: { 'node_modules/holdfast': git } }));
  expect(originOf(archive)).toBe(git.resolved);
});

describe('in a folder with files', () => {
  test('keeps each of them, and says so', async () => {
    const setting = await emptyMachine();
    await mkdir(join(setting.cwd, 'tools'));
    await writeFile(join(setting.cwd, 'tools', 'disk-usage.ts'), '// mine\n');
    await writeFile(join(setting.cwd, '.gitignore'), '/node_modules\ndist');
    const { stdout } = await callCli(['init'], setting);
    expect(stdout).toMatch(/^kept +tools\/disk-usage\.ts /m);
    expect(stdout).toMatch(/^extended +\.gitignore +\+ \.holdfast\/, \.env$/m);
    expect(await read(setting, 'tools/disk-usage.ts')).toBe('// mine\n');
    expect(await read(setting, '.gitignore')).toBe('/node_modules\ndist\n.holdfast/\n.env\n');
  });

  test('a second time changes nothing', async () => {
    const setting = await emptyMachine();
    await callCli(['init'], setting);
    // a part that somebody has taken out does not come back
    await rm(join(setting.cwd, 'script.yaml'));
    const left = starter.filter((path) => path !== 'script.yaml');
    const readAll = () => Promise.all(left.map((path) => read(setting, path)));
    const before = await readAll();
    const { code, lines } = await callCli(['init', '--json'], setting);
    expect(code).toBe(0);
    expect(lines.filter(({ type }) => type === 'file').map(({ done }) => done)).toEqual([
      'kept',
      'kept',
      'kept',
    ]);
    expect({ files: await filesOf(setting.cwd), texts: await readAll() }).toEqual({
      files: left,
      texts: before,
    });
  });

  test('a package of CommonJS stays one: the files are .mts, and only what lacks is added', async () => {
    const setting = await emptyMachine();
    const given = {
      name: 'shop',
      main: 'index.js',
      scripts: { test: 'jest' },
      dependencies: { zod: '^4.0.0' },
    };
    await writeFile(join(setting.cwd, 'package.json'), JSON.stringify(given, undefined, 4));
    const { stdout } = await callCli(['init'], setting);
    expect(await filesOf(setting.cwd)).toEqual(starter.map((path) => path.replace(/\.ts$/, '.mts')).sort());
    const text = await read(setting, 'package.json');
    expect(text).toContain('\n    "name"');
    expect(JSON.parse(text)).toEqual({
      ...given,
      dependencies: { ...given.dependencies, holdfast: expect.any(String) },
    });
    expect(stdout).toMatch(/^extended +package\.json +\+ holdfast$/m);
    // npm test is jest
    expect(stdout).toContain('  node --test\n');
    expect((await configOf(setting)).config.tools).toHaveLength(1);
    expect(await read(setting, 'test/on-call.test.mts')).toContain("config: 'holdfast.config.mts'");
  });

  test('a package.json that only names libraries becomes a module', async () => {
    const setting = await emptyMachine();
    await writeFile(join(setting.cwd, 'package.json'), '{"dependencies":{"holdfast":"file:x.tgz"}}');
    const { stdout } = await callCli(['init'], setting);
    expect(stdout).toMatch(/^extended +package\.json +\+ type, script test, zod$/m);
    expect(JSON.parse(await read(setting, 'package.json'))).toMatchObject({
      type: 'module',
      dependencies: { holdfast: 'file:x.tgz' },
    });
  });

  test('a package.json that does not parse stops it before anything is written', async () => {
    const setting = await emptyMachine();
    await writeFile(join(setting.cwd, 'package.json'), '{');
    const { code, stderr } = await callCli(['init'], setting);
    expect({ code, files: await filesOf(setting.cwd) }).toEqual({ code: 2, files: ['package.json'] });
    expect(stderr).toMatch(/package\.json does not parse: .*Correct it, and run init again\./);
  });

  test('a file in the way of a folder is named', async () => {
    const setting = await emptyMachine();
    await writeFile(join(setting.cwd, 'tools'), '');
    const { code, stderr } = await callCli(['init'], setting);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Cannot write .*tools\/disk-usage\.ts: .*Expected a folder that can be written\./);
  });
});

describe.skipIf(!hasTerminal)('on a terminal', () => {
  test('[SRC-10c] asks with the findings as defaults, and writes what is answered', async () => {
    const setting = await emptyMachine();
    await mkdir(join(setting.cwd, 'logs'));
    await writeFile(join(setting.cwd, 'logs', 'shop.log'), 'ok\n');
    const { url } = await startHttpServer(
      (_request, response) => void response.end('{"status":"success"}'),
      sought,
    );
    const { PATH: _, ...found } = setting.environment;
    const environment = { ...found, PROMETHEUS_URL: url };
    const init = startOnTerminal(['init'], { ...setting, environment });
    init.child.stdout.on('data', (text: string) => {
      // this machine may have more of them
      if (/Folders that the agent may read|turn its tools on\?/.test(text)) init.child.stdin.write('\r');
    });
    await init.until(new RegExp(`Found prometheus at ${url}: turn its tools on\\?`));
    await init.until(/script\.yaml plays the model/);
    expect((await init.ended).code).toBe(0);
    const text = await read(setting, 'holdfast.config.ts');
    expect(text).toContain("files: { roots: ['logs'] }");
    expect(text).toMatch(new RegExp(`http: \\{ allow: \\[.*'${url.slice('http://'.length)}'`));
  });

  test('writes nothing when it is left', async () => {
    const setting = await emptyMachine();
    const { PATH: _, ...environment } = setting.environment;
    const init = startOnTerminal(['init'], { ...setting, environment });
    await init.until(/agent may read/);
    init.child.stdin.write('\u0003');
    expect((await init.ended).code).toBe(130);
    expect(await filesOf(setting.cwd)).toEqual([]);
  });
});
