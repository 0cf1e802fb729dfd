// The folders beside a config file whose Markdown files are agents and templates of prompts.
import { dirname, join } from 'node:path';

export function agentsFolder(configFile: string): string {
  return join(dirname(configFile), 'agents');
}

export function templatesFolder(configFile: string): string {
  return join(dirname(configFile), 'prompts');
}

export function promptFolders(configFile: string): string[] {
  return [agentsFolder(configFile), templatesFolder(configFile)];
}
