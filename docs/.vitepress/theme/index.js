/** The default theme with the system's fonts: pages ask nothing of other hosts. */
import theme from "vitepress/theme-without-fonts";
import "./style.css";

export default theme;
