import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { LiveChange } from '#domains/live/contract.ts'
import { paths } from '../paths.ts'
import { cacheKeys, useUser } from '../queries.ts'
import { queryClient } from '../query-client.ts'
import { followLive } from './stream.ts'

export function useLive(): void {
  const { id } = useUser()
  const navigate = useNavigate()
  const { history } = useRouter()
  useEffect(
    () =>
      followLive({
        change: change =>
          void tell(change, id, {
            task: task => void navigate({ to: paths.tasks, search: { task } }),
            link: link => history.push(link),
          }),
        reset: askAgain,
        refused: () => void queryClient.invalidateQueries({ queryKey: cacheKeys.session }),
      }),
    [id, navigate, history],
  )
}

type Open = { task: (id: string) => void; link: (path: string) => void }

/** The code that applies changes is loaded after the page; changes wait for it, in order. */
async function tell(change: LiveChange, userId: string, open: Open): Promise<void> {
  try {
    const [{ applyChange }, { remind }, { announce }] = await Promise.all([
      import('./apply.ts'),
      import('./remind.ts'),
      import('./announce.ts'),
    ])
    applyChange(change, userId)
    remind(change, userId, open.task)
    announce(change, open.link)
  } catch {
    askAgain()
  }
}

/** Too much was missed: reload everything that is shown. */
function askAgain(): void {
  void queryClient.invalidateQueries({ predicate: query => query.queryKey[0] !== 'session' })
}
