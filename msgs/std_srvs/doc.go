// Package std_srvs holds the ROS services of std_srvs.
package std_srvs
