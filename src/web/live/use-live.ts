import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { paths } from '../paths.ts'
import { cacheKeys, useUser } from '../queries.ts'
import { queryClient } from '../query-client.ts'
import { applyChange, applyReset } from './apply.ts'
import { remind } from './remind.ts'
import { followLive } from './stream.ts'

export function useLive(): void {
  const { id } = useUser()
  const navigate = useNavigate()
  useEffect(
    () =>
      followLive({
        change: change => {
          applyChange(change, id)
          remind(change, id, task => void navigate({ to: paths.tasks, search: { task } }))
        },
        reset: applyReset,
        refused: () => void queryClient.invalidateQueries({ queryKey: cacheKeys.session }),
      }),
    [id, navigate],
  )
}
