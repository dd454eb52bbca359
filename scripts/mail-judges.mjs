// `npm run mails` has other people's programs judge our mails. Installs them where that is possible.
import { apt, canInstall, isProgram } from './debian.mjs'

const PROGRAMS = ['spamassassin', 'libmail-dkim-perl', 'python3-dkim']

if (!isProgram('/usr/bin/spamassassin') && canInstall(/^ID(?:_LIKE)?=.*debian/m)) {
  console.log('Installing SpamAssassin and two DKIM verifiers (once) …')
  apt('update')
  if (!apt('install', '--yes', '--no-install-recommends', ...PROGRAMS))
    console.error('They could not be installed: the judges that are missing are named below.')
}
