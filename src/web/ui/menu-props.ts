/** Outside the column, which would clip it, but inside the main landmark; contains only its items. */
export const menuProps = { portalProps: { target: '#main' }, withInitialFocusPlaceholder: false } as const
