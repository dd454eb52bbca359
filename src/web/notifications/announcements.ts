import { dismiss, toastWithAction } from '../ui/toast.ts'

/** Toasts of notifications. They are dismissed when the list is opened. */
let shown: number[] = []

export function callOut(title: string, label: string, act: () => void): void {
  shown.push(toastWithAction(title, label, act))
}

export function fallSilent(): void {
  for (const id of shown) dismiss(id)
  shown = []
}
