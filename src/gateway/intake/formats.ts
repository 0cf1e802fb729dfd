// The readers of payloads by their name in the config. Pure.
import type { AlertFormat } from '../../config/schema/gateway.schema.ts';
import { readAlertmanager } from './formats/alertmanager.ts';
import { readCloudwatch } from './formats/cloudwatch.ts';
import { readDatadog } from './formats/datadog.ts';
import { readGeneric } from './formats/generic.ts';
import { readGrafana } from './formats/grafana.ts';
import { readOpsgenie } from './formats/opsgenie.ts';
import { readPagerduty } from './formats/pagerduty.ts';
import type { ReadFormat } from './shape.ts';

export const formats: Record<AlertFormat, ReadFormat> = {
  alertmanager: readAlertmanager,
  grafana: readGrafana,
  pagerduty: readPagerduty,
  opsgenie: readOpsgenie,
  datadog: readDatadog,
  cloudwatch: readCloudwatch,
  generic: readGeneric,
};
