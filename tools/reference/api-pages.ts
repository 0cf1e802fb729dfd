// docs/reference/api/*.md: the entries of the package with all their types, by TypeDoc.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Application,
  Comment,
  Converter,
  type Context,
  DeclarationReflection,
  ReflectionKind,
} from 'typedoc';
import { readEntries } from './entries.ts';

export const apiFolder = 'docs/reference/api';

/** Pages by their path in the repository. Throws if TypeDoc has a warning: a type that is not exported, a broken link. */
export async function makeApiPages(root: string): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-api-'));
  try {
    await writePages(root, folder);
    const files = readdirSync(folder, { recursive: true }).map(String);
    const pages = files.filter((file) => file.endsWith('.md'));
    return new Map(pages.map((file) => [`${apiFolder}/${file}`, readFileSync(join(folder, file), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writePages(root: string, folder: string): Promise<void> {
  const entries = readEntries(root);
  const application = await Application.bootstrapWithPlugins({
    name: 'holdfast',
    entryPoints: [...entries.values()].map((file) => join(root, file)),
    tsconfig: join(root, 'tsconfig.json'),
    // libraries check their own types; ours are checked by `npm run check`
    skipErrorChecking: true,
    excludePrivate: true,
    excludeProtected: true,
    excludeInternal: true,
    excludeExternals: true,
    disableSources: true,
    readme: 'none',
    logLevel: 'Warn',
    validation: {
      notExported: true,
      invalidLink: true,
      notDocumented: false,
      rewrittenLink: true,
      unusedMergeModuleWith: true,
    },
    plugin: [import.meta.resolve('typedoc-plugin-markdown')],
    intentionallyNotExported: wordLists,
    ...markdownOptions,
  });
  application.converter.on(Converter.EVENT_CREATE_DECLARATION, showFields);
  const project = await application.convert();
  if (!project) throw new Error('TypeDoc found nothing: expected the entries of the package');
  for (const [name, file] of entries) {
    const module = project.children?.find((child) => file.endsWith(`${child.name}.ts`));
    if (!module) throw new Error(`TypeDoc made nothing of ${file}`);
    module.name = name;
  }
  for (const field of project.getReflectionsByKind(ReflectionKind.Property)) {
    // the schema of a field is no default value
    if (field instanceof DeclarationReflection && !field.parent?.kindOf(ReflectionKind.Class)) {
      delete field.defaultValue;
    }
  }
  application.validate(project);
  await application.outputs.writeOutput({ name: 'markdown', path: folder }, project);
  if (application.logger.hasWarnings() || application.logger.hasErrors()) {
    throw new Error(
      'TypeDoc has warnings (above): expected every type to be exported and every link to lead somewhere',
    );
  }
}

let restoreName = (): void => undefined;

/** A type that a schema or a table states is shown with its fields: without its name, until the first of them is made. */
function showFields(context: Context, reflection: DeclarationReflection): void {
  restoreName();
  restoreName = () => undefined;
  const symbol = context.getSymbolFromReflection(reflection);
  const [declaration] = symbol?.declarations ?? [];
  const stated = /^export type \w+ = (?:(Output|z\.(infer|output))<|\{\s*\[Name in keyof Session)/;
  if (!symbol || !stated.test(declaration?.getText() ?? '')) return;
  reflection.comment ??= new Comment();
  reflection.comment.modifierTags.add('@useDeclaredType');
  const type: { aliasSymbol?: unknown } = context.checker.getDeclaredTypeOfSymbol(symbol);
  const { aliasSymbol } = type;
  type.aliasSymbol = undefined;
  restoreName = () => {
    type.aliasSymbol = aliasSymbol;
  };
}

/** Values from which types are inferred; the types are documented. */
const wordLists = ['logFormats', 'logLevels'];

const markdownOptions: object = {
  outputFileStrategy: 'modules',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  expandObjects: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  propertyMembersFormat: 'table',
  indexFormat: 'table',
};
