// The task of the checkout incident: where to look, and not what is wrong. Pure.
import type { IncidentPlace } from './place.ts';

/** The complaint of the customers, and the places. */
export function promptFor(place: IncidentPlace): string {
  return [
    'Customers say that checkout is slow or fails. Find out whether something is wrong and why, fix it if a tool',
    'can, check that it worked, and report with evidence.',
    placesOf(place),
  ].join('\n');
}

/** For an agent that an alert has called. */
export function taskFor(place: IncidentPlace): string {
  return ['Fix it if a tool can, check that it worked, and report with evidence.', placesOf(place)].join(
    '\n',
  );
}

function placesOf({ systemDir, urls }: IncidentPlace): string {
  return [
    `Folder: ${systemDir} (logs/shop.log, logs/payments.log, deploys.log, config/ with every version in config/versions/)`,
    `Metrics: ${urls.shop}/metrics and ${urls.payments}/metrics`,
    `Pool, watched for some seconds: ${urls.payments}/debug/pool?seconds=3`,
  ].join('\n');
}
