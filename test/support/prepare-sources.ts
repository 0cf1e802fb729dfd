// A process of its own that brings the servers of the tests of sources where they are not there, so that its minutes are not
// those of a test: VictoriaLogs by Go (about a minute), OpenSearch by Maven, moto with the AWS command line by
// pip and the servers of MCP presets by npm (under a minute each).
import { getMoto, motoMissing } from './moto-server.ts';
import { getOpenSearch, openSearchMissing } from './opensearch-server.ts';
import { getPresetServers, presetServersMissing } from './preset-servers.ts';
import { getVictoriaLogs, victoriaLogsMissing } from './victorialogs-server.ts';

const prepared = [
  ['VictoriaLogs', victoriaLogsMissing, getVictoriaLogs],
  ['OpenSearch', openSearchMissing, getOpenSearch],
  ['servers of MCP presets', presetServersMissing, getPresetServers],
  ['moto', motoMissing, async () => (await getMoto()).moto],
] as const;
for (const [name, missing, get] of prepared)
  process.stdout.write(`${name}: ${missing ?? `using ${await get()}`}\n`);
