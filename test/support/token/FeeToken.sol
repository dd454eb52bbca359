// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A token that keeps a hundredth of what is sent: who is sent 100 receives 99.
contract FeeToken is ERC20 {
    address private constant COLLECTOR = address(0xFEE);

    constructor() ERC20("Fee Dollar", "FUSD") {}

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override {
        uint256 fee = from == address(0) ? 0 : value / 100;
        if (fee > 0) super._update(from, COLLECTOR, fee);
        super._update(from, to, value - fee);
    }
}
