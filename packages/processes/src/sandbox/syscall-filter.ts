// The system calls that the kernel refuses inside the sandbox, as a seccomp program. A second wall: most of them are out
// of reach already, without capabilities and in namespaces. Runs in Node.

/** [x64, arm64]; undefined if the architecture has no such call. Numbers of the kernel, which never change. */
// oxfmt-ignore
const refused: Record<string, readonly [number, number | undefined]> = {
  // other processes
  ptrace: [101, 117], process_vm_readv: [310, 270], process_vm_writev: [311, 271], kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // file systems and namespaces
  mount: [165, 40], umount2: [166, 39], pivot_root: [155, 41], chroot: [161, 51], open_tree: [428, 428],
  move_mount: [429, 429], fsopen: [430, 430], fsconfig: [431, 431], fsmount: [432, 432],
  fspick: [433, 433], mount_setattr: [442, 442], unshare: [272, 97], setns: [308, 268],
  open_by_handle_at: [304, 265], name_to_handle_at: [303, 264], quotactl: [179, 60],
  quotactl_fd: [443, 443], swapon: [167, 224], swapoff: [168, 225], acct: [163, 89],
  // the kernel itself
  bpf: [321, 280], perf_event_open: [298, 241], userfaultfd: [323, 282], kexec_load: [246, 104],
  kexec_file_load: [320, 294], init_module: [175, 105], finit_module: [313, 273],
  delete_module: [176, 106], syslog: [103, 116], reboot: [169, 142], iopl: [172, undefined],
  ioperm: [173, undefined], vhangup: [153, 58],
  // it makes sockets, which this filter would not see
  io_uring_setup: [425, 425], io_uring_enter: [426, 426], io_uring_register: [427, 427],
  // keys of the user, which no namespace separates
  add_key: [248, 217], request_key: [249, 218], keyctl: [250, 219],
  // memory that no process maps, which the watch over processes would not see
  memfd_create: [319, 279], memfd_secret: [447, 447], shmget: [29, 194],
  // names and clocks
  sethostname: [170, 161], setdomainname: [171, 162], settimeofday: [164, 170],
  clock_settime: [227, 112], clock_adjtime: [305, 266], adjtimex: [159, 171],
};

type Machine = { column: 0 | 1; audit: number; clone: number; socket: number; ioctl: number };

const machines: Partial<Record<string, Machine>> = {
  x64: { column: 0, audit: 0xc000_003e, clone: 56, socket: 41, ioctl: 16 },
  arm64: { column: 1, audit: 0xc000_00b7, clone: 220, socket: 198, ioctl: 29 },
};

const clone3 = 435;
const newNamespaces = 0x7e02_0080; // CLONE_NEWUSER, NEWPID, NEWNET, NEWNS, NEWUTS, NEWIPC, NEWCGROUP, NEWTIME
const socketFamilies = { unix: 1, inet: 2, inet6: 10, netlink: 16 };
const fakeInput = [0x5412, 0x541c]; // TIOCSTI, TIOCLINUX

// struct sock_filter and struct seccomp_data of the kernel
const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const answer = (action: number): Instruction => [0x06, 0, 0, action];
/** Skips the next instruction unless the value is equal. */
const unlessEqual = (value: number): Instruction => [0x15, 0, 1, value];
const [atNumber, atMachine, atFirst, atSecond] = [0, 4, 16, 24];
const [allow, refuse, unknown] = [0x7fff_0000, 0x0005_0001, 0x0005_0026]; // EPERM, ENOSYS

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * The program in bubblewrap's form (`--seccomp`); undefined for an unknown machine. Sockets of the file system reach any
 * daemon that listens there, so they are refused unless `unixSockets` is set.
 */
export function syscallFilter(
  machine: string,
  { unixSockets }: { unixSockets: boolean },
): Buffer | undefined {
  const known = machines[machine];
  if (known === undefined) return undefined;
  const numbers = Object.values(refused).flatMap((columns) => columns[known.column] ?? []);
  const families = Object.entries(socketFamilies).filter(([name]) => name !== 'unix' || unixSockets);
  // oxfmt-ignore
  return assemble([
    // a program of another machine (32 bits) has other numbers, so all calls are refused
    load(atMachine), [0x15, 1, 0, known.audit], answer(refuse),
    load(atNumber), [0x35, 0, 1, 0x4000_0000], answer(refuse), // the other numbers of x64 (x32)
    ...numbers.flatMap((number) => [unlessEqual(number), answer(refuse)]),
    // its flags are in memory, which no filter can read; libraries then use clone
    unlessEqual(clone3), answer(unknown),
    ...onCall(known.clone, [load(atFirst), [0x45, 0, 1, newNamespaces], answer(refuse), answer(allow)]),
    ...onCall(known.socket, [
      load(atFirst),
      ...families.flatMap(([, family]) => [unlessEqual(family), answer(allow)]),
      answer(refuse),
    ]),
    ...onCall(known.ioctl, [
      load(atSecond),
      ...fakeInput.flatMap((request) => [unlessEqual(request), answer(refuse)]),
      answer(allow),
    ]),
    answer(allow),
  ]);
}

/** Runs `body`, which ends with an answer, for one call. */
function onCall(number: number, body: Instruction[]): Instruction[] {
  return [[0x15, 0, body.length, number], ...body];
}

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}
