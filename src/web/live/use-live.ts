import { useEffect } from 'react'
import { cacheKeys, useUser } from '../queries.ts'
import { queryClient } from '../query-client.ts'
import { applyChange, applyReset } from './apply.ts'
import { followLive } from './stream.ts'

export function useLive(): void {
  const { id } = useUser()
  useEffect(
    () =>
      followLive({
        change: change => applyChange(change, id),
        reset: applyReset,
        refused: () => void queryClient.invalidateQueries({ queryKey: cacheKeys.session }),
      }),
    [id],
  )
}
