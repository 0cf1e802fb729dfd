// A real Kafka broker (KRaft) on loopback for tests, from jars of Maven, and its commands: scripts with the names and main
// classes of the distribution, which Maven does not have. The jars come from the cache, else Maven copies them once: 130 MB.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@holdfast/processes/free-port';
import { cacheFolder, readEnvironment } from '../../src/config/environment.ts';
import { builtOnce, onPath } from './built-once.ts';
import { type RealServer, started } from './real-servers.ts';
import { temporaryFolder } from './tool-calls.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const target = join(cacheFolder(readEnvironment()), 'kafka-4.2.1');
const lacking = ['java', ...(existsSync(target) ? [] : ['mvn'])].filter((name) => !onPath(name));

/** For the name of a test that cannot run; undefined where it can. */
export const kafkaMissing = lacking.length === 0 ? undefined : `skipped: no ${lacking.join(', ')} on PATH`;

const commands = {
  'kafka-topics': 'org.apache.kafka.tools.TopicCommand',
  'kafka-consumer-groups': 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand',
  'kafka-log-dirs': 'org.apache.kafka.tools.LogDirsCommand',
  'kafka-configs': 'kafka.admin.ConfigCommand',
};
const java = [
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Xmx256m',
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
];

/** A folder with `libs` and `bin`. */
export function getKafka(): Promise<string> {
  const say = 'copying the jars of Kafka for the tests with Maven: 130 MB, a minute';
  return builtOnce(target, say, async (folder) => {
    const made = join(folder, 'kafka');
    // Maven writes beside its project
    await copyFile(join(import.meta.dirname, 'kafka/pom.xml'), join(folder, 'pom.xml'));
    const words = [
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${made}/libs`,
    ];
    await run('mvn', ['-q', '-B', ...words], { cwd: folder });
    await mkdir(join(made, 'bin'));
    for (const [name, main] of Object.entries(commands)) {
      const script = `#!/bin/sh\nexec java ${java.join(' ')} -cp "$(dirname "$0")/../libs/*" ${main} "$@"\n`;
      await writeFile(join(made, 'bin', `${name}.sh`), script, { mode: 0o755 });
    }
    return made;
  });
}

export type RealKafka = RealServer & {
  bin: string;
  /** One of its commands, as the administrator. */
  command(name: keyof typeof commands, ...words: string[]): Promise<string>;
  /** Sends a line as a message, a key before ":". */
  produce(topic: string, lines: readonly string[]): Promise<void>;
  /** A member of a group, which reads until the test ends. */
  consume(topic: string, group: string): void;
  /** A file for `--command-config` with this password of the user `holdfast`. */
  clientConfig(password: string, user?: string, more?: string): Promise<string>;
};

/** One broker of SASL/PLAIN with the users `admin` and `holdfast`, who may read anything. */
export async function startKafka(password: string): Promise<RealKafka> {
  const home = await getKafka();
  const [port, controller, folder] = [await freePort(), await freePort(), await temporaryFolder()];
  const login = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
  await writeFile(
    join(folder, 'server.properties'),
    `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controller}
listeners=SASL_PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}
listener.security.protocol.map=SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=SASL_PLAINTEXT
sasl.mechanism.inter.broker.protocol=PLAIN
sasl.enabled.mechanisms=PLAIN
listener.name.sasl_plaintext.plain.sasl.jaas.config=${login} username="admin" password="${password}" user_admin="${password}" user_holdfast="${password}";
log.dirs=${folder}/data
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
group.initial.rebalance.delay.ms=0
`,
  );
  const settings = join(folder, 'server.properties');
  const classes = ['-cp', `${home}/libs/*`];
  await run('java', [
    ...java,
    ...classes,
    'kafka.tools.StorageTool',
    'format',
    '-t',
    'MkU3OEVBNTcwNTJENDM2Qg',
    '-c',
    settings,
  ]);
  const stop = started(
    spawn('java', [...java, ...classes, 'kafka.Kafka', settings], { stdio: 'ignore', cwd: folder }),
  );
  let made = 0;
  const clientConfig: RealKafka['clientConfig'] = async (given, user = 'holdfast', more = '') => {
    const file = join(folder, `client-${++made}.properties`);
    await writeFile(
      file,
      `security.protocol=SASL_PLAINTEXT
sasl.mechanism=PLAIN
sasl.jaas.config=${login} username="${user}" password="${given}";
${more}
`,
    );
    return file;
  };
  const admin = await clientConfig(password, 'admin');
  const place = ['--bootstrap-server', `127.0.0.1:${port}`, '--command-config', admin];
  const command: RealKafka['command'] = async (name, ...words) =>
    (await run(join(home, 'bin', `${name}.sh`), [...place, ...words])).stdout;
  const client = (main: string, ...words: string[]): ChildProcess =>
    spawn('java', [...java, ...classes, `org.apache.kafka.tools.${main}`, ...place, ...words], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  const produce: RealKafka['produce'] = async (topic, lines) => {
    const keys = ['parse.key=true', 'key.separator=:'].flatMap((each) => ['--reader-property', each]);
    const child = client('ConsoleProducer', '--topic', topic, ...keys);
    child.stdin?.end(lines.join('\n'));
    await once(child, 'exit');
  };
  const consume: RealKafka['consume'] = (topic, group) => {
    const words = ['--topic', topic, '--group', group, '--from-beginning'];
    started(client('consumer.ConsoleConsumer', ...words));
  };
  await until(
    'Kafka answers',
    () =>
      command('kafka-topics', '--list').then(
        () => true,
        () => false,
      ),
    120_000,
  );
  return { port, folder, stop, bin: join(home, 'bin'), command, produce, consume, clientConfig };
}
