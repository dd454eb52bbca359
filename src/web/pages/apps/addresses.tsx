import { CopyLine } from '../../ui/copy-line.tsx'
import copy from '../../ui/copy-line.module.css'

const addresses = [
  ['Authorize', '/api/oauth/authorize'],
  ['Token', '/api/oauth/token'],
  ['Metadata', '/.well-known/oauth-authorization-server'],
] as const

/** What a developer puts into the settings of an OAuth library; most need the last one only. */
export function Addresses() {
  return (
    <div className={copy.lines}>
      {addresses.map(([label, path]) => (
        <CopyLine key={label} label={label} value={location.origin + path} />
      ))}
    </div>
  )
}
