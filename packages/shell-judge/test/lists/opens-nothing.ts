// Programs of the tables that open no address, by their manuals: each option that is let through was looked up. An address among
// their words is a pattern, a name of a file, or text that they print or send to a host that is named itself.
const names = `
  cat head tail cut nl tac rev fold column expand unexpand fmt comm join paste cmp pr look tsort sum base64 base32 basenc od
  hexdump hd bc wc cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum strings grep egrep fgrep jq tr seq factor
  numfmt nproc expr zcat gzcat bzcat xzcat zstdcat lz4cat lzcat zgrep zegrep zfgrep bzgrep xzgrep sort uniq xxd diff iconv shuf man
  whatis apropos sed awk gawk mawk nawk yq rg less more
  stat readlink realpath df locate plocate namei ls dir vdir du getfacl lsattr getfattr getcap basename dirname whereis which
  file tree find fd fuser lsof
  ps free vmstat mpstat uptime w id groups whoami logname tty users arch uname lscpu lsblk lsmod lsusb lsmem lsns lsipc ipcs
  pidof pgrep pstree cal printenv locale lsb_release hostid atq sestatus getenforce aa-status getconf findmnt modinfo who last
  lastb lspci pidstat pmap dmidecode iostat sar top lastlog blkid date mount sysctl dmesg journalctl systemctl hostnamectl
  timedatectl loginctl systemd-analyze systemd-cgls systemd-cgtop chronyc ethtool smartctl lvs vgs pvs lvdisplay vgdisplay
  pvdisplay zpool zfs git
  timeout nice ionice stdbuf xargs
  echo : true false pwd cd pushd popd dirs type times exit return break continue shift help logout sleep yes jobs test [ printf
  read mapfile readarray shopt alias history wait
  curl`;

export const opensNothing: ReadonlySet<string> = new Set(names.trim().split(/\s+/));
