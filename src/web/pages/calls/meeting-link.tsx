import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'

export function MeetingLink({ id, children }: { id: string; children: string }) {
  return (
    <Link to={paths.meetings} search={{ meeting: id }}>
      {children}
    </Link>
  )
}
