import type { Icon } from '@tabler/icons-react'
import IconApps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs'
import IconForms from '@tabler/icons-react/dist/esm/icons/IconForms.mjs'
import IconGitBranch from '@tabler/icons-react/dist/esm/icons/IconGitBranch.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconListNumbers from '@tabler/icons-react/dist/esm/icons/IconListNumbers.mjs'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import IconRobot from '@tabler/icons-react/dist/esm/icons/IconRobot.mjs'
import IconServer2 from '@tabler/icons-react/dist/esm/icons/IconServer2.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import type { Entry } from '#domains/audit/contract.ts'
import { Avatar } from '../../ui/person.tsx'
import type { ActorKind } from '../../records/audit/words.ts'
import classes from './audit.module.css'

const icons: Record<ActorKind, Icon> = {
  person: IconUser,
  app: IconApps,
  key: IconKey,
  workflow: IconGitBranch,
  sequence: IconListNumbers,
  agent: IconRobot,
  provider: IconPlugConnected,
  form: IconForms,
  system: IconServer2,
}

const SIZE = 24

/** A picture of who did it: a person's initials, or the sign of its kind. The words beside it say the same. */
export function ActorMark({ actor: { kind, id, name } }: { actor: Entry['actor'] }) {
  if (kind === 'person' && id && name) return <Avatar name={name} id={id} size={SIZE} />
  const Shape = icons[kind] ?? IconUser
  return (
    <span className={classes.mark} aria-hidden>
      <Shape size={14} stroke={1.8} />
    </span>
  )
}
