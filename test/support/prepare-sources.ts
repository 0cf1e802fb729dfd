// A process of its own that brings the servers of the tests of sources where they are not there, so that its minutes are not
// those of a test: VictoriaLogs, FerretDB and Helm by Go, OpenSearch and Kafka by Maven, moto with the AWS command line and the
// generator of Python clients by pip, the servers of MCP presets by npm: about a minute each.
import { ferretdbMissing, getFerretdb } from './ferretdb-server.ts';
import { getKafka, kafkaMissing } from './kafka-server.ts';
import { getMoto, motoMissing } from './moto-server.ts';
import { getHelm, helmMissing } from './helm.ts';
import { getOpenSearch, openSearchMissing } from './opensearch-server.ts';
import { getPresetServers, presetServersMissing } from './preset-servers.ts';
import { getPythonGenerator, pythonGeneratorMissing } from './python-generator.ts';
import { getVictoriaLogs, victoriaLogsMissing } from './victorialogs-server.ts';

const prepared = [
  ['Helm', helmMissing, getHelm],
  ['VictoriaLogs', victoriaLogsMissing, getVictoriaLogs],
  ['OpenSearch', openSearchMissing, getOpenSearch],
  ['servers of MCP presets', presetServersMissing, getPresetServers],
  ['moto', motoMissing, async () => (await getMoto()).moto],
  ['openapi-python-client', pythonGeneratorMissing, getPythonGenerator],
  ['FerretDB', ferretdbMissing, getFerretdb],
  ['Kafka', kafkaMissing, getKafka],
] as const;
for (const [name, missing, get] of prepared)
  process.stdout.write(`${name}: ${missing ?? `using ${await get()}`}\n`);
