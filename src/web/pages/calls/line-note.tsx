import { useQuery } from '@tanstack/react-query'
import IconFlask from 'icon:flask'
import IconPhoneOff from 'icon:phone-off'
import { lineQuery } from '../../records/calls/calls-cache.ts'
import noticeClasses from '../../ui/notice.module.css'

/** Says where calls only look like calls, and why none can go out. Nothing where all is well. */
export function LineNote() {
  const line = useQuery(lineQuery).data
  if (!line || (line.provider !== 'simulator' && line.can_dial)) return null
  const isSimulated = line.provider === 'simulator'
  return (
    <p className={noticeClasses.bar} data-tone={line.can_dial ? 'plain' : undefined}>
      {isSimulated && line.can_dial ? (
        <IconFlask size={16} aria-hidden />
      ) : (
        <IconPhoneOff size={16} aria-hidden />
      )}
      <span>
        {isSimulated && 'Calls are simulated here: no telephone rings, and what is said is played.'}
        {!line.can_dial && ` No call can go out. ${line.note ?? ''}`}
      </span>
    </p>
  )
}
