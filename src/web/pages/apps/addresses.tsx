import { CopyLine } from '../../ui/copy-line.tsx'
import copy from '../../ui/copy-line.module.css'

const addresses = [
  ['Authorize', '/api/oauth/authorize'],
  ['Token', '/api/oauth/token'],
  ['Metadata', '/.well-known/oauth-authorization-server'],
] as const

/** What an OAuth library asks for; most need only the last one. */
export function Addresses() {
  return (
    <div className={copy.lines}>
      {addresses.map(([label, path]) => (
        <CopyLine key={label} label={label} value={location.origin + path} />
      ))}
    </div>
  )
}
