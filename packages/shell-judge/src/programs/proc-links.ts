// Links of every Linux, which give any file a second name. Other links are the machine's own, and not followed.

/** The target of an absolute path; undefined if it may be anywhere. */
export function throughLinks(path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(segment);
    const at = segments.join('/');
    if (/^proc\/[^/]+\/(?:task\/[^/]+\/)?root$/.test(at)) segments.length = 0;
    else if (leavesFor(at)) return undefined;
  }
  return `/${segments.join('/')}`;
}

/** Below a descriptor that is a folder may be any file. A redirection names its own three only. */
function leavesFor(at: string): boolean {
  if (/^proc\/[^/]+\/(?:task\/[^/]+\/)?(?:cwd|fd\/\d+|map_files\/.+)$/s.test(at)) return true;
  return /^dev\/(?:std(?:in|out|err)\/.|fd\/(?:[012]\/.|[3-9]|\d\d))/s.test(at);
}

/** True if such a beginning may become a link, as a pattern of /proc does. */
export function mayBecomeLink(begins: string): boolean {
  return ['/proc/', '/dev/fd/', '/dev/std'].some(
    (folder) => folder.startsWith(begins) || begins.startsWith(folder),
  );
}
