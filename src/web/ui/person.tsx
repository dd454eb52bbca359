import type { Member } from '#domains/identity/contract.ts'
import { initials } from './words.ts'
import textClasses from './text.module.css'
import classes from './person.module.css'

const HUES = 8

/** The initials are CSS content: nothing to read aloud or copy. */
export function Avatar({ name, id, size = 20 }: { name: string; id: string; size?: number }) {
  const hue = Number.parseInt(id.slice(-4), 16) % HUES || 0
  return (
    <span
      className={classes.avatar}
      data-hue={hue}
      data-initials={initials(name) || '?'}
      style={{ width: size, height: size, fontSize: size * 0.44 }}
      aria-hidden
    />
  )
}

export function Person({ member }: { member: Pick<Member, 'id' | 'name' | 'email'> }) {
  const name = member.name || member.email
  return (
    <span className={classes.person}>
      <Avatar name={name} id={member.id} />
      <span className={textClasses.cut}>{name}</span>
    </span>
  )
}
