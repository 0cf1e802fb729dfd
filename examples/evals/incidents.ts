// The golden set, in the order of its table.
import { badDeploy } from './incidents/bad-deploy/incident.ts';
import { configTypo } from './incidents/config-typo/incident.ts';
import { diskFull } from './incidents/disk-full/incident.ts';
import { expiredCertificate } from './incidents/expired-certificate/incident.ts';
import { nothingWrong } from './incidents/nothing-wrong/incident.ts';
import { poolExhausted } from './incidents/pool-exhausted/incident.ts';
import type { IncidentModule } from './system.ts';

export const incidents: Record<string, IncidentModule> = {
  'pool-exhausted': poolExhausted,
  'disk-full': diskFull,
  'expired-certificate': expiredCertificate,
  'bad-deploy': badDeploy,
  'config-typo': configTypo,
  'nothing-wrong': nothingWrong,
};
