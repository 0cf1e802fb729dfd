// openssl: certificates, and connections that show them.
import { each, type Call, type CommandSpec, type Finding } from '../command-spec.ts';
import { filesOrHosts, toHosts } from '../programs/hosts.ts';

export const certificates: Record<string, CommandSpec> = {
  // without a command it reads commands
  openssl: {
    files: true,
    style: 'words',
    subcommands: {
      ...each('version ciphers', { flags: '-a -v -V -b -o -p -d -s -tls1_2 -tls1_3' }),
      x509: {
        operands: 0,
        flags: `-in= -inform= -noout -text -subject -issuer -dates -enddate -startdate -serial -fingerprint -sha1 -sha256
          -md5 -ext= -checkend= -checkhost= -checkip= -pubkey -purpose -nameopt= -certopt= -hash -subject_hash
          -issuer_hash -email -ocsp_uri -modulus`,
        check: opensslFiles,
      },
      s_client: {
        operands: 0,
        flags: `-connect= -servername= -showcerts -brief -verify_return_error -verify= -CAfile= -CApath= -tls1_2 -tls1_3
          -starttls= -alpn= -status -quiet -no_ign_eof -ign_eof -4 -6 -prexit -tlsextdebug -noservername -state -msg`,
        check: ({ flags, hasInput }) => {
          const [to, ...others] = flags.flatMap(({ name, value }) =>
            name === '-connect' && value ? [value] : [],
          );
          // the last one counts
          if (to?.value === undefined || others.length > 0)
            return { reason: 's_client: the host is not known' };
          const host = to.value.replace(/:\d+$/, '');
          const found = toHosts([{ ...to, value: host }], 's_client');
          return hasInput && found.reason === undefined
            ? { ...found, reason: 's_client sends its input to the host: < /dev/null gives it none' }
            : found;
        },
      },
      verify: {
        flags: '-CAfile= -CApath= -untrusted= -purpose= -verbose -show_chain -partial_chain',
        check: opensslFiles,
      },
      crl: {
        operands: 0,
        flags: '-in= -inform= -noout -text -issuer -lastupdate -nextupdate -hash',
        check: opensslFiles,
      },
      req: {
        operands: 0,
        flags: '-in= -inform= -noout -text -subject -verify -pubkey',
        check: (call) =>
          call.flags.some(({ name }) => name === '-in')
            ? opensslFiles(call)
            : { reason: 'openssl req makes a request' },
      },
      ...each('dgst sha256 md5 sha1', { flags: '-sha256 -sha1 -sha512 -md5 -hex -r' }),
    },
  },
};

/** x509, crl, verify and others fetch an http:// name in place of a file. */
function opensslFiles({ name, flags, operands }: Call): Finding {
  const named = flags.flatMap(({ name: flag, value }) =>
    /^-(?:in|CAfile|untrusted)$/.test(flag) && value ? [value] : [],
  );
  return filesOrHosts([...named, ...operands], name);
}
