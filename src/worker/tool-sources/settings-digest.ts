// Names the settings of a toolset or an MCP server, so that a run meets the same ones on every worker.
import { canonicalJson, digestOf } from '../../activities/context/digest.ts';
import { createRedactor } from '../../activities/redaction/redaction.ts';
import { secretReferences } from '../../activities/secrets/references.ts';
import type { Config } from '../../config/config.ts';
import { literalSecrets } from '../literal-secrets.ts';

export type SettingsDigest = (settings: object) => string;

/** A reference to a secret counts as the reference. A secret that is written into the config does not count at all. */
export function createSettingsDigest(config: Config): SettingsDigest {
  const patterns = createRedactor([]);
  // also the short ones: from a digest a short value could be guessed
  const secrets = literalSecrets(config)
    .map(([, value]) => JSON.stringify(value).slice(1, -1))
    .filter((value) => value !== '')
    .sort((left, right) => right.length - left.length);
  return (settings) => {
    const text = canonicalJson(settings);
    const open = secrets.reduce((rest, value) => rest.replaceAll(value, '[secret]'), text);
    // beside the text, where a reference may look like a credential
    return digestOf([patterns.text(open), secretReferences(JSON.parse(text))]);
  };
}
