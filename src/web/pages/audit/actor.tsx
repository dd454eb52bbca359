import type { Icon } from '../../ui/icon.tsx'
import IconApps from 'icon:apps'
import IconForms from 'icon:forms'
import IconGitBranch from 'icon:git-branch'
import IconKey from 'icon:key'
import IconListNumbers from 'icon:list-numbers'
import IconPlugConnected from 'icon:plug-connected'
import IconRobot from 'icon:robot'
import IconServer2 from 'icon:server-2'
import IconUser from 'icon:user'
import type { Entry } from '#domains/audit/contract.ts'
import { Avatar } from '../../ui/person.tsx'
import type { ActorKind } from '../../records/audit/words.ts'
import daysClasses from '../../ui/days.module.css'

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

/** A person's initials, or an icon for the kind of actor. The text beside it says the same. */
export function ActorMark({ actor: { kind, id, name } }: { actor: Entry['actor'] }) {
  if (kind === 'person' && id && name) return <Avatar name={name} id={id} size={SIZE} />
  const Shape = icons[kind] ?? IconUser
  return (
    <span className={daysClasses.sign} aria-hidden>
      <Shape size={14} />
    </span>
  )
}
