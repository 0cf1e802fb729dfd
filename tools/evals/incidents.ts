// The golden set, in the order of its table.
import { badDeploy } from './incidents/bad-deploy/incident.ts';
import { borrowedQuota } from './incidents/borrowed-quota/incident.ts';
import { clockSkew } from './incidents/clock-skew/incident.ts';
import { configTypo } from './incidents/config-typo/incident.ts';
import { dependencyDown } from './incidents/dependency-down/incident.ts';
import { diskFull } from './incidents/disk-full/incident.ts';
import { dns } from './incidents/dns/incident.ts';
import { evictedSessions } from './incidents/evicted-sessions/incident.ts';
import { expiredCertificate } from './incidents/expired-certificate/incident.ts';
import { lockWait } from './incidents/lock-wait/incident.ts';
import { memoryLeak } from './incidents/memory-leak/incident.ts';
import { nightlyLoad } from './incidents/nightly-load/incident.ts';
import { noisyNeighbour } from './incidents/noisy-neighbour/incident.ts';
import { nothingWrong } from './incidents/nothing-wrong/incident.ts';
import { poolExhausted } from './incidents/pool-exhausted/incident.ts';
import { prefetchStorm } from './incidents/prefetch-storm/incident.ts';
import { slowQuery } from './incidents/slow-query/incident.ts';
import { wrongLimit } from './incidents/wrong-limit/incident.ts';
import type { IncidentModule } from './system.ts';

export const incidents: Record<string, IncidentModule> = {
  'pool-exhausted': poolExhausted,
  'disk-full': diskFull,
  'expired-certificate': expiredCertificate,
  dns,
  'slow-query': slowQuery,
  'memory-leak': memoryLeak,
  'bad-deploy': badDeploy,
  'clock-skew': clockSkew,
  'dependency-down': dependencyDown,
  'config-typo': configTypo,
  'noisy-neighbour': noisyNeighbour,
  'nothing-wrong': nothingWrong,
  'evicted-sessions': evictedSessions,
  'lock-wait': lockWait,
  'nightly-load': nightlyLoad,
  'wrong-limit': wrongLimit,
  'borrowed-quota': borrowedQuota,
  'prefetch-storm': prefetchStorm,
};
